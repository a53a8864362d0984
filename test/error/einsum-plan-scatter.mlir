// A sum over j would meet a row's element twice.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 12:3: error: count-scatter makes an element of each one of A, so both have the same indices; j is not [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#vector = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i) += %A(i, j)
    : tensor<?x?xf32, #csr> -> tensor<?xf32, #vector>
  einsum.return %C : tensor<?xf32, #vector>
}
einsum.plan @p {
  einsum.nest "C" term 0 order ["i", "j"] loops ["dense", "walk A"] parallel "" chunk 1 vector "" width 1 into "memory" assemble "count-scatter"
}
