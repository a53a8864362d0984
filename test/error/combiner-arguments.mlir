// A combiner takes two scalars for each operand.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.reduce' has 1 operands, so its combiner takes 2 scalars, 'f32', 'f32', not 'f32' [combiner]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.reduce %z axis 1 : tensor<64x64xf32> -> tensor<64xf32>
        combine (%p: f32) {
      tile.yield %p : f32
    }
  }
}
