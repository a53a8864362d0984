// Copies of copies are counted before they are made.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 10:3: error: R wants 1024 copies of 1027 primitives below one index, and a graph has at most 16384; have fewer copies [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "R" order ["i", "j"] parallel ["i", "j"] by [1024, 1024] region 0
}
