// A kernel loops over something; streams need not.
// RUN: %expect 2 heddle run %s --view A=3x4
// RUN: heddle simulate %s --view A=3x4 --order=timed --engine=both
// expect: 8:8: error: no order of the loops carries out term 0 of r; the last one tried: neither r nor a factor has an index, so there is nothing to loop over; give r an index, or run it as streams [einsum-no-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %b: tensor<f32>) {
  %s = einsum.statement () += %A(i, j) : tensor<?x?xf32, #csr> -> tensor<f32>
  %r = einsum.statement () += %s() * %b() - 2.0 * %b() then neg : tensor<f32>, tensor<f32>, tensor<f32> -> tensor<f32>
  einsum.return %r : tensor<f32>
}
