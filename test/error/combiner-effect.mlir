// A combiner touches no memory.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.reduce' has a combiner with 'tile.load', which is not a pure scalar op [combiner]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.reduce %z axis 1 : tensor<64x64xf32> -> tensor<64xf32>
        combine (%p: f32, %q: f32) {
      %t = tile.load %c[%c0, %c0] : !tile.view<?x?xf32> -> tensor<1x1xf32>
      tile.yield %p : f32
    }
  }
}
