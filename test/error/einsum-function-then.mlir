// So is one of a sparse result.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: sigmoid makes 0.500000 of 0.000000, which is what the elements are that C does not store; say by `where` which elements there are, or make C dense [einsum-function]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %C = einsum.statement (i, j) += %A(i, j) * %x(j) then neg, sigmoid
    : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
