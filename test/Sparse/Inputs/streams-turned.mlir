// R and Q walk T by columns, and T is made in the same region: it is carried out once more, by columns.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!sparse = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
einsum.program @p(%A: !sparse, %B: !sparse) {
  %T = einsum.statement (i, j) += %A(i, j) * %B(i, j) : !sparse, !sparse -> !sparse
  %U = einsum.statement (i, k) += %T(i, j) * %B(j, k) : !sparse, !sparse -> !dense
  %R = einsum.statement (j, i) += %B(j, i) * %T(i, j) : !sparse, !sparse -> !sparse
  %Q = einsum.statement (k, i) += %B(k, i) * %U(i, k) : !sparse, !dense -> !sparse
  einsum.return %R, %Q : !sparse, !sparse
}
