// Which rows of a compressed level have zeros below them, streams do not know before they have passed.
// RUN: %expect 2 heddle compile %s --emit=flow -o %t.mlir
// expect: 9:8: error: the last level of T is dense below a compressed one, and as streams it has only what was computed; make the level compressed, or put the two statements into different regions [flow-unsupported]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#low = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : dense) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %T = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #low>
  %R = einsum.statement (i, l) += %T(i, k) * %B(k, l)
    : tensor<?x?xf32, #low>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %R : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "T" order ["i", "j", "k"] region 0
  einsum.streams "R" order ["i", "k", "l"] region 0
}
