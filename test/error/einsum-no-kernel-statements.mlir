// Two statements are two launches.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 5:1: error: @p has several statements, terms or results, and a kernel of a GPU carries out one [einsum-no-kernel]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  %D = einsum.statement (i, k) += %A(i, j) * %C(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %D : tensor<?x?xf32>
}
