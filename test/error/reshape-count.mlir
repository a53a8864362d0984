// tile.reshape keeps the number of elements.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.reshape' changes the number of elements from 64x64 to 64x32 [reshape-count]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.reshape %z : tensor<64x64xf32> -> tensor<64x32xf32>
  }
}
