// k may stand before, between or after the indices of A: three orders, of which --plan=random takes one.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @drawn(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement () += %A(i, j) * %x(k) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<f32>
  einsum.return %y : tensor<f32>
}
