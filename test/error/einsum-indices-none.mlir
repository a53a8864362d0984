// A sum of all has no axes, and no statement reads it.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:8: error: s has no axes; make it a vector of one element, with an index of its own [einsum-indices]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %s = einsum.statement () += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<f32>
  %C = einsum.statement (i) += %A(i, j) * %s() : tensor<?x?xf32, #csr>, tensor<f32> -> tensor<?xf32>
  einsum.return %C : tensor<?xf32>
}
