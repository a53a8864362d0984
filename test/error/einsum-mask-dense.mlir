// A dense mask excludes nothing.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 6:8: error: the mask M is dense, so it has every element; leave `where` out, or give M a compressed level [einsum-mask]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %M: tensor<?x?xf32>) {
  %C = einsum.statement (i, j) += %A(i, j) where %M(i, j)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
