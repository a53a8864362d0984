// tile.broadcast keeps the number of axes.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.broadcast' changes the number of axes from 1 to 2; expand_dims inserts axes [rank-mismatch]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64xf32>
    %d = tile.broadcast %z : tensor<64xf32> -> tensor<64x64xf32>
  }
}
