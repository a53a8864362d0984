// An index of the result must occur in an operand.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: the result has the index m, which no operand has [einsum-indices]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, m) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
