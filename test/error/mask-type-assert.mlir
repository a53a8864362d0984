// A condition is of i1.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:5: error: 'tile.assert' needs a condition of i1, not of 'f32' [mask-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.assert %z, "holds" : tensor<64x64xf32>
  }
}
