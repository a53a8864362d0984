// A reduction drops its axis.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.reduce' gives 'tensor<64xf32>', not 'tensor<64x1xf32>' [result-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.reduce %z axis 1 : tensor<64x64xf32> -> tensor<64x1xf32>
        combine (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
  }
}
