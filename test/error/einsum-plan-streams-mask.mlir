// Elements of a mask without a product meet those of a workspace in one index.
// RUN: %expect 3 heddle compile %s --emit=flow -o %t.mlir
// expect: 12:3: error: streams cannot carry out C in this order: term 0 of C sums over an index outside of 2 indices of the result; in a sum of several terms, or below a mask, one is the most [einsum-plan]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csc>, %B: tensor<?x?xf32, #csr>, %M: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k) where %M(i, k)
    : tensor<?x?xf32, #csc>, tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
einsum.plan @p {
  einsum.streams "C" order ["j", "i", "k"] region 0
}
