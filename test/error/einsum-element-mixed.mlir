// All elements have one type.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: B has elements of 'f64' and the result of 'f32' [einsum-element]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf64>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf64> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
