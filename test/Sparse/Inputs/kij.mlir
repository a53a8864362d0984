#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#dcsc = #sparse_tensor.encoding<{ map = (i, j) -> (j : compressed, i : compressed) }>
einsum.program @kij(%B: tensor<?x?xf64, #dcsc>, %C: tensor<?x?xf64, #dcsr>) {
  %X = einsum.statement (i, j) += %B(i, k) * %C(k, j)
    : tensor<?x?xf64, #dcsc>, tensor<?x?xf64, #dcsr> -> tensor<?x?xf64, #dcsr>
  einsum.return %X : tensor<?x?xf64, #dcsr>
}
