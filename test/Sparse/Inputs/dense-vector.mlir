// Rows of S may be missing, so d has elements that nobody computes; y reads d as it comes and z at other coordinates.
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#some = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
!rows = tensor<?x?xf32, #dcsr>
!some = tensor<?xf32, #some>
!row = tensor<?xf32>
einsum.program @p(%S: !rows, %x: !some) {
  %d = einsum.statement (i) += %S(i, j) over "min-plus" : !rows -> !row
  %y = einsum.statement (i) += %d(i) + %x(i) over "min-plus" : !row, !some -> !row
  %z = einsum.statement (i) += %S(i, j) * %d(j) over "min-plus" : !rows, !row -> !row
  einsum.return %y, %z : !row, !row
}
