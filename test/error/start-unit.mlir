// No unit adds tiles while the process goes on.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:15: error: unit "tensor" starts something else than one tile.dot, the only asynchronous operation besides loads into rings [start-unit]
tile.kernel @k(%c: !tile.view<?x?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  aref.process "p" warps 4 registers 0 {
    %x = tile.splat %f : f32 -> tensor<64x64xf32>
    %flight = aref.start "tensor" (%a = %x : tensor<64x64xf32>) {
      %y = arith.addf %a, %a : tensor<64x64xf32>
      aref.yield %y : tensor<64x64xf32>
    } : !aref.flight<tensor<64x64xf32>>
    %z = aref.await %flight pending 0 : !aref.flight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
