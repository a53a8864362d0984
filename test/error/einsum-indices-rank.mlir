// One index an axis.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: A has 2 axes and 1 indices [einsum-indices]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
