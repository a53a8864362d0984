// A stream passes once, and rows cannot be computed alone where a sum stands outside of them.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 9:8: error: the streams of T pass once, and R would need them again at index j; put the two statements into different regions, or choose another order [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csc>, %D: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (j, k) += %B(j, l) * %D(l, k)
    : tensor<?x?xf32, #csc>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %R = einsum.statement (i, k) += %A(i, j) * %T(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["l", "j", "k"] region 0
  einsum.streams "R" order ["i", "j", "k"] region 0
}
