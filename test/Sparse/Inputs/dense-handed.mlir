// T is dense, and only some of its elements are computed; what is not is exp of no sum, 1. R walks its rows as they come, V needs the rows of neighbours.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
!sparse = tensor<?x?xf64, #csr>
!rows = tensor<?x?xf64, #dcsr>
!dense = tensor<?x?xf64>
einsum.program @p(%A: !sparse, %B: !sparse, %S: !rows) {
  %T = einsum.statement (i, k) += %A(i, j) * %B(j, k) then exp : !sparse, !sparse -> !dense
  %R = einsum.statement (i, l) += %T(i, k) * %A(k, l) : !dense, !sparse -> !sparse
  %V = einsum.statement (i, k) += %S(i, j) * %T(j, k) : !rows, !dense -> !sparse
  einsum.return %R, %V, %T : !sparse, !sparse, !dense
}
