// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'aref.start' yields 'tensor<64xf32>', but its flight is '!aref.flight<tensor<32xf32>>' [start-region]
tile.kernel @k(%i: f32) {
  %x = tile.splat %i : f32 -> tensor<64xf32>
  aref.process "p" warps 4 registers 0 {
    %f = aref.start "tensor" (%a = %x : tensor<64xf32>) {
      aref.yield %a : tensor<64xf32>
    } : !aref.flight<tensor<32xf32>>
  }
}

