// A run has a coordinate.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 11:3: error: 1 to 1048576 coordinates after one another go to one copy, not 0 [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %S = einsum.statement (i, j) += %R(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %S : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "R" order ["i", "j"] parallel ["i"] by [4] chunks [0] region 0
  einsum.streams "S" order ["i", "j"] parallel ["i"] by [4] region 0
}
