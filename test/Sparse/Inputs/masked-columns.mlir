// A is stored by columns, and what a mask has without a product cannot meet sums that lie in a workspace of two levels: A is copied.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csc>, %B: tensor<?x?xf32, #csr>, %M: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) where %M(i, k)
    : tensor<?x?xf32, #csc>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
