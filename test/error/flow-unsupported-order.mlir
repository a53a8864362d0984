// A transposed copy is made of a stored tensor.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 8:8: error: R reads a copy of T, which is made of a stored tensor and not of streams; put the two statements into different regions [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (i, j) += %A(i, j) * %B(i, j)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %R = einsum.statement (j, i) += %B(j, i) * %T(i, j)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["i", "j"] region 0
  einsum.streams "R" order ["j", "i"] copies ["T"] region 0
}
