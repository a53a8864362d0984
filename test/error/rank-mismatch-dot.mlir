// A dot takes matrices.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.dot' takes tiles of 2 axes but a has 1 [rank-mismatch]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64xf32>
    %d = tile.dot %z, %z, %z : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  }
}
