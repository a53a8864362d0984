// A diagonal is not supported.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: A has the index i twice; a diagonal is not supported yet [einsum-indices]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, i) * %B(i, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
