// A plan with copies of a person's choice.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf32, #csr>
einsum.program @product(%A: !graph, %x: tensor<?xf32>) {
  %R = einsum.statement (i, j) += %A(i, j) * %x(j) : !graph, tensor<?xf32> -> !graph
  einsum.return %R : !graph
}
einsum.plan @product {
  einsum.streams "R" order ["i", "j"] parallel ["i"] by [2] region 0
}
