// Blocks are refused by name.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: the levels of A are no permutation of its axes, as blocks have it, which are not lowered yet [einsum-format]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
