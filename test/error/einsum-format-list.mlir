// Singletons follow a list.
// RUN: %expect 2 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:8: error: the last level of A is nonunique, so one element could be stored twice [einsum-format]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed(nonunique)) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
