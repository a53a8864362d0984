// tile.expand_dims at an axis that cannot be.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.expand_dims' inserts axis 3 in a tile of 1 axes [axis-range]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64xf32>
    %d = tile.expand_dims %z, 3 : tensor<64xf32> -> tensor<64x1xf32>
  }
}
