// A graph returns what its program returns.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 10:3: error: the graph does not return what program @p returns, by the same names and in the same formats [flow-graph]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %R = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %R : tensor<?xf32>
}
flow.graph @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  flow.return
}
