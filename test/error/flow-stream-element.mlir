// Streams carry positions and floating-point numbers.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:36: error: a stream carries crd, ref, f32 or f64, not 'i8' [flow-stream]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
flow.graph @p(%A: tensor<?x?xf32, #csr>) {
  %r = flow.root : !flow.stream<i8 []>
  flow.return
}
