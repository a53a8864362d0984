// Nor is one of the result.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: C has the index i twice; a diagonal is not supported yet [einsum-indices]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, i) += %A(i, j)
    : tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
