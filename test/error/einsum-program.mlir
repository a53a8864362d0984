// A program returns what it computes.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:3: error: 'einsum.return' returns an argument; a program returns what it computes [einsum-program]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  einsum.return %A : tensor<?x?xf32, #csr>
}
