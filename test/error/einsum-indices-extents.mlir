// An index has one extent.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: j is 128 in A and 100 in B [einsum-indices]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<4x128xf32, #csr>, %B: tensor<100x3xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<4x128xf32, #csr>, tensor<100x3xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
