// A reduction along an axis that is not there.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.reduce' names axis 2 of a tile with 2 axes [axis-range]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.reduce %z axis 2 : tensor<64x64xf32> -> tensor<64xf32>
        combine (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
  }
}
