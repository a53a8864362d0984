// Which rows of T are stored is known when all of it has been computed, so it cannot be handed on as streams.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#low = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : dense) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #low>
  %R = einsum.statement (i, l) += %T(i, k) * %B(k, l)
    : tensor<?x?xf32, #low>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
