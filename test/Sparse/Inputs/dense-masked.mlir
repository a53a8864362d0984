// Below a mask of the same format, streams of P have all that the mask stores, its dense level included.
#low = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : dense) }>
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!low = tensor<?x?xf64, #low>
!sparse = tensor<?x?xf64, #csr>
einsum.program @p(%A: !sparse, %B: !sparse, %M: !low) {
  %P = einsum.statement (i, j) += %A(i, k) * %B(k, j) where %M(i, j) then exp : !sparse, !sparse, !low -> !low
  %R = einsum.statement (i, l) += %P(i, j) * %B(j, l) : !low, !sparse -> !sparse
  einsum.return %R : !sparse
}
