#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
einsum.program @sum(%B: tensor<?x?xf64, #dcsr>, %C: tensor<?x?xf64, #dcsr>) {
  %X = einsum.statement (i, j) += %B(i, j) + %C(i, j)
    : tensor<?x?xf64, #dcsr>, tensor<?x?xf64, #dcsr> -> tensor<?x?xf64, #dcsr>
  einsum.return %X : tensor<?x?xf64, #dcsr>
}
