// Streams take no short elements.
// RUN: %expect 2 heddle simulate %s --view A=3x4 --view B=4x5
// expect: 6:8: error: elements of C are of type 'f16'; as streams, f32 and f64 are supported [einsum-element]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf16, #csr>, %B: tensor<?x?xf16>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf16, #csr>, tensor<?x?xf16> -> tensor<?x?xf16>
  einsum.return %C : tensor<?x?xf16>
}
