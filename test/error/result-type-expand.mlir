// tile.expand_dims inserts an axis of 1.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.expand_dims' gives 'tensor<1x64xf32>', not 'tensor<64x1xf32>' [result-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64xf32>
    %d = tile.expand_dims %z, 0 : tensor<64xf32> -> tensor<64x1xf32>
  }
}
