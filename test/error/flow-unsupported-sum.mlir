// Streams make results that have indices.
// RUN: %expect 2 heddle simulate %s --view A=3x4
// expect: 6:8: error: s has no indices; as streams, a result has one at least [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %s = einsum.statement () += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<f32>
  einsum.return %s : tensor<f32>
}
