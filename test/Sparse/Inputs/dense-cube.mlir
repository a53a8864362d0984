// Two levels of a dense result have coordinates that nobody computes.
#ccc = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : compressed, j : compressed, k : compressed) }>
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!cube = tensor<?x?x?xf64, #ccc>
!sparse = tensor<?x?xf64, #csr>
einsum.program @p(%A: !cube, %B: !sparse) {
  %T = einsum.statement (i, j, k) += %A(i, j, k) * %B(j, k) then exp : !cube, !sparse -> tensor<?x?x?xf64>
  %R = einsum.statement (i, j) += %T(i, j, k) * %B(k, j) : tensor<?x?x?xf64>, !sparse -> !sparse
  einsum.return %R : !sparse
}
