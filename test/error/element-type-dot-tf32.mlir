// Only f32 can be read as tf32.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:10: error: 'tile.dot' reads operands as tf32, which is for f32 and not for 'f16' and 'f16' [element-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %o = arith.constant dense<1.0> : tensor<64x64xf16>
    %d = tile.dot %o, %o, %z {tf32} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  }
}
