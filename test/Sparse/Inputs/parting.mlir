// The join waits for the row of T, whose reference comes behind that of U.
#dcsr = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#rows = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @parting(%T: tensor<?x?xf64, #rows>, %U: tensor<?x?xf64, #dcsr>) {
  %R = einsum.statement (i, j) += %T(i, j) * %U(i, j)
    : tensor<?x?xf64, #rows>, tensor<?x?xf64, #dcsr> -> tensor<?x?xf64, #dcsr>
  einsum.return %R : tensor<?x?xf64, #dcsr>
}
