// Elements are floats.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: elements of A are of type 'i32'; f16, bf16, f32 and f64 are supported [einsum-element]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xi32, #csr>, %B: tensor<?x?xi32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xi32, #csr>, tensor<?x?xi32> -> tensor<?x?xi32>
  einsum.return %C : tensor<?x?xi32>
}
