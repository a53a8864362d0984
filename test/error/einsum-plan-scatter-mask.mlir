// A mask says which elements there are, not an operand.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 12:3: error: count-scatter has the elements of an operand, not of the mask M [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32>, %M: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, j) += %A(i, j) where %M(i, j)
    : tensor<?x?xf32>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csc>
  einsum.return %C : tensor<?x?xf32, #csc>
}
einsum.plan @p {
  einsum.nest "C" term 0 order ["i", "j"] loops ["dense", "walk M"] parallel "" chunk 1 vector "" width 1 into "memory" assemble "count-scatter"
}
