// A row of streams passes once, and not for each coordinate of an index between its levels.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 8:8: error: the streams of T pass once, and R would need them again at index k; put the two statements into different regions, or choose another order [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  %R = einsum.statement (i, k) += %A(i, j) * %T(i, k) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["i", "j", "k"] region 0
  einsum.streams "R" order ["i", "j", "k"] region 0
}
