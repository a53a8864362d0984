// tile.cast keeps the shape.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.cast' converts a tile of 64x64 to one of 32x64 [shape-mismatch]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.cast %z : tensor<64x64xf32> -> tensor<32x64xf16>
  }
}
