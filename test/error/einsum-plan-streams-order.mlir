// An order keeps to the storage of its operands.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 10:3: error: streams cannot carry out R in this order: j comes before i, and A is stored i, j [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i, j) += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "R" order ["j", "i"] region 0
}
