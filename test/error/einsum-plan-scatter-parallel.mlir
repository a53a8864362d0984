// Rows of a turned matrix grow element by element.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 11:3: error: rows grow one element after the other, so there is no parallel axis [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csc>
  einsum.return %C : tensor<?x?xf32, #csc>
}
einsum.plan @p {
  einsum.nest "C" term 0 order ["i", "j"] loops ["dense", "walk A"] parallel "i" chunk 1 vector "" width 1 into "memory" assemble "count-scatter"
}
