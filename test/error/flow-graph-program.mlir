// A graph carries out a program.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 9:1: error: there is no program @q, which the graph would carry out [flow-graph]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %R = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %R : tensor<?xf32>
}
flow.graph @q(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  flow.return
}
