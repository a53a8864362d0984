// A stream has no zeros of a dense level.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 8:8: error: the last level of T is dense, and as streams it has only what was computed; make the level compressed, or put the two statements into different regions [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32>
  %R = einsum.statement (i, l) += %T(i, k) * %B(k, l)
    : tensor<?x?xf32>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["i", "j", "k"] region 0
  einsum.streams "R" order ["i", "k", "l"] region 0
}
