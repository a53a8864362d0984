// Statements stand in programs.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: 'einsum.statement' op expects parent op 'einsum.program' [not-well-formed]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
flow.graph @q(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %R = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  flow.return
}
