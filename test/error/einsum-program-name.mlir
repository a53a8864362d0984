// Each tensor has a name of its own.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 5:1: error: 'einsum.program' takes tensors, not 'i32' [einsum-program]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: i32) {
  einsum.return
}
