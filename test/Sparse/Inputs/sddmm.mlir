#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
einsum.program @sddmm(%B: tensor<?x?xf64, #dcsr>, %C: tensor<?x?xf64>, %D: tensor<?x?xf64>) {
  %X = einsum.statement (i, j) += %B(i, j) * %C(i, k) * %D(j, k)
    : tensor<?x?xf64, #dcsr>, tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64, #dcsr>
  einsum.return %X : tensor<?x?xf64, #dcsr>
}
