// Attention of a few keys to each query, as block-sparse masks have it: scores
// where the mask M stores an element, a softmax over these, and a sum of rows
// of V. What M stores does not matter, only where.
//
//   heddle run examples/sparse/attention.mlir --view M=128x128 --view Q=128x32
//     --view K=128x32 --view V=128x32 --density M=0.1
//   heddle simulate examples/sparse/attention.mlir --view M=24x24 --view Q=24x8
//     --view K=24x8 --view V=24x8 --density M=0.2 --order=timed --regions=0,0,0,0,0,0

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!dense = tensor<?x?xf32>
!rows = tensor<?x?xf32, #csr>
!row = tensor<?xf32, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>

einsum.program @attention(%M: !rows, %Q: !dense, %K: !dense, %V: !dense) {
  %S = einsum.statement (i, j) += 0.25 * %Q(i, d) * %K(j, d) where %M(i, j)
    : !dense, !dense, !rows -> !rows
  %m = einsum.statement (i) += %S(i, j) over "max-plus" : !rows -> !row
  %E = einsum.statement (i, j) += %S(i, j) - %m(i) where %S(i, j) then exp
    : !rows, !row, !rows -> !rows
  %d = einsum.statement (i) += %E(i, j) : !rows -> !row
  %P = einsum.statement (i, j) += %E(i, j) * reciprocal(%d(i)) where %E(i, j)
    : !rows, !row, !rows -> !rows
  %O = einsum.statement (i, c) += %P(i, j) * %V(j, c) : !rows, !dense -> !dense
  einsum.return %O : !dense
}
