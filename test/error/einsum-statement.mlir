// A type for each factor.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:25: error: the statement has 2 operands and 1 types of operands [einsum-statement]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
