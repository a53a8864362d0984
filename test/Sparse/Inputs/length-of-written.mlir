// d is written beside its streams, and y has all of its coordinates: how many these are is known from S, not from what is being written.
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
!rows = tensor<?x?xf32, #dcsr>
!row = tensor<?xf32>
einsum.program @p(%S: !rows) {
  %d = einsum.statement (i) += %S(i, j) : !rows -> !row
  %y = einsum.statement (i) += %d(i) * %d(j) : !row, !row -> !row
  einsum.return %d, %y : !row, !row
}
