// A function of a sparse tensor is one of the elements that it does not store, too.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: exp makes 1.000000 of 0.000000, which is what the elements are that A does not store; say by `where` which elements there are, or make A dense [einsum-function]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += exp(%A(i, j)) * %x(j)
    : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
