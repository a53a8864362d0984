// A row of T is needed for each neighbour; T sums over l outside of its rows.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csc>, %D: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (j, k) += %B(j, l) * %D(l, k)
    : tensor<?x?xf32, #csc>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %R = einsum.statement (i, k) += %A(i, j) * %T(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["l", "j", "k"] region 0
  einsum.streams "R" order ["i", "j", "k"] region 0
}
