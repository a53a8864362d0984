// The second term lacks i, so S has all of its coordinates. R has only those at which A has a row, though its first level is dense.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#some = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
!rows = tensor<?x?xf32, #dcsr>
!sparse = tensor<?x?xf32, #csr>
!some = tensor<?xf32, #some>
einsum.program @p(%A: !rows, %x: !some) {
  %R = einsum.statement (i, j) += %A(i, j) * %A(i, j) : !rows, !rows -> !sparse
  %S = einsum.statement (i, j) += %R(i, j) + %x(j) : !sparse, !some -> !sparse
  einsum.return %S : !sparse
}
