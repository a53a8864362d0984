// A stream walks a space once.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:37: error: a stream walks the space i twice [flow-stream]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
flow.graph @p(%A: tensor<?x?xf32, #csr>) {
  %r = flow.root : !flow.stream<ref [i, i]>
  flow.return
}
