// A row of T is needed for each j of R, which stands between its levels.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %R = einsum.statement (i, k) += %A(i, j) * %T(i, k) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["i", "j", "k"] region 0
  einsum.streams "R" order ["i", "j", "k"] region 0
}
