// Statements that hand streams on have the same copies of what they share.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 12:3: error: S wants 4 copies in runs of 1 where it walks the streams of another statement, which has 2 in runs of 1; give both the same, or leave out one [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %S = einsum.statement (i, j) += %R(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %S : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "R" order ["i", "j"] parallel ["i"] by [2] region 0
  einsum.streams "S" order ["i", "j"] parallel ["i"] by [4] region 0
}
