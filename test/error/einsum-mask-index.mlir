// A mask speaks of elements of the result.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: the mask M has the index j, which the result lacks; a mask says which elements of the result there are [einsum-mask]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %M: tensor<?x?xf32, #csr>) {
  %y = einsum.statement (i) += %A(i, j) where %M(i, j)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
