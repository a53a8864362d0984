// A value without axes is a scalar, not a tile.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: a tile has 1 to 5 axes, but this is 'tensor<f32>'; use a scalar, or give it an axis of extent 1 [tile-rank]
tile.kernel @f(%a: !tile.view<?xf32>, %b: !tile.view<?xf32>, %i: index) {
  %n = tile.dim %a, 0 : !tile.view<?xf32>
  tile.parallel (%j) to (%n) {
    %t = tile.load %a[%j] : !tile.view<?xf32> -> tensor<f32>
    tile.store %t, %b[%j] : tensor<f32>, !tile.view<?xf32>
  }
}
