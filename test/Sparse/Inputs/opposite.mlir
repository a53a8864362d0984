// A is stored i, j and B j, i.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %y = einsum.statement (i, j) += %A(i, j) * %B(j, i)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  einsum.return %y : tensor<?x?xf32>
}
