// A graph takes what its program takes.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 9:1: error: the graph has other arguments than program @p [flow-graph]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %R = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %R : tensor<?xf32>
}
flow.graph @p(%A: tensor<?xf32>) {
  flow.return
}
