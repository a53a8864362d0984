#coo = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
einsum.program @product(%A: tensor<?x?xf32, #coo>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #coo>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
