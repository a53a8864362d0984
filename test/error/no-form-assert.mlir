// An assertion on a tile is for the interpreter.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 5:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 11:5: error: 'tile.assert' on tiles has no form on sm_90a yet; the rungs above run it in the interpreter only [no-form]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %one = arith.constant dense<1.0> : tensor<64x64xf32>
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %ok = arith.cmpf olt, %z, %one : tensor<64x64xf32>
    tile.assert %ok, "f is below 1" : tensor<64x64xi1>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
