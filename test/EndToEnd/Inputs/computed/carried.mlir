// Chunked linear attention: a state that a loop carries is the right operand, and
// the left one is transposed.
tile.kernel @carried(%q: !tile.view<?x?xf16>, %k: !tile.view<?x?xf16>, %v: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %h: !tile.view<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %t = tile.dim %q, 0 : !tile.view<?x?xf16>
  tile.parallel (%i) to (%c1) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %last = scf.for %tt = %c0 to %t step %c64 iter_args(%state = %zero) -> (tensor<64x64xf32>) {
      %qs = tile.load %q[%tt, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %ks = tile.load %k[%tt, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %vs = tile.load %v[%tt, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %kt = tile.trans %ks, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %s16 = tile.cast %state : tensor<64x64xf32> -> tensor<64x64xf16>
      %out = tile.dot %qs, %s16, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %out, %o[%tt, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      %next = tile.dot %kt, %vs, %state : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %last, %h[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
  }
}
