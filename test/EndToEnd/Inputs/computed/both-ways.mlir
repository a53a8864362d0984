// One computed tile is the right operand of two products, once turned; its maker is a
// product of the same iteration.
tile.kernel @both_ways(%q: !tile.view<?x64xf16>, %k: !tile.view<?x64xf16>, %x: !tile.view<64x64xf16>, %o: !tile.view<64x64xf32>, %p: !tile.view<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %rows = tile.dim %q, 0 : !tile.view<?x64xf16>
  tile.parallel (%i) to (%c1) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %xs = tile.load %x[%c0, %c0] : !tile.view<64x64xf16> -> tensor<64x64xf16>
    %a, %b = scf.for %r = %c0 to %rows step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %qs = tile.load %q[%r, %c0] : !tile.view<?x64xf16> -> tensor<64x64xf16>
      %ks = tile.load %k[%r, %c0] : !tile.view<?x64xf16> -> tensor<64x64xf16>
      %kt = tile.trans %ks, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %s0 = tile.dot %qs, %kt, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %scales = tile.splat %scale : f32 -> tensor<64x64xf32>
      %s1 = arith.mulf %s0, %scales : tensor<64x64xf32>
      %s16 = tile.cast %s1 : tensor<64x64xf32> -> tensor<64x64xf16>
      %st = tile.trans %s16, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %next = tile.dot %xs, %s16, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %turned = tile.dot %xs, %st, %t : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next, %turned : tensor<64x64xf32>, tensor<64x64xf32>
    }
    tile.store %a, %o[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
    tile.store %b, %p[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
  }
}
