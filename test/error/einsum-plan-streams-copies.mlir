// A copy is made of a tensor that the statement has.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 10:3: error: copies B, which R neither reads nor makes [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "R" order ["j", "i"] copies ["A", "B"] region 0
}
