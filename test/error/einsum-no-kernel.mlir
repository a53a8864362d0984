// Elements that have to be counted first need several launches, which no GPU's launcher does.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 6:8: error: no kernel of a GPU carries out C: the elements of the result have to be counted first, which is another launch and an allocation [einsum-no-kernel]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32, #csr>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csr> -> tensor<?x?xf32, #csr>
  einsum.return %C : tensor<?x?xf32, #csr>
}
