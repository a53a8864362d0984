// Coordinate lists have no fibers.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: no order of its indices carries out y by streams: A is a list of coordinates; streams walk dense and compressed levels [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j)
    : tensor<?x?xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
