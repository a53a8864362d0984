// An order is of a statement that is there.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 10:3: error: program @p has no statement Q [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "Q" order ["i", "j"] region 0
}
