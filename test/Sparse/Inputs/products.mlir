// Products of three factors over two statements, with what goes along: numbers in front, a function of a factor, a
// bias, another term, and names of indices that mean something else in the other statement.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf64, #csr>
!dense = tensor<?x?xf64>

einsum.program @products(%A: !graph, %X: !graph, %V: !dense, %D: !dense, %b: tensor<?xf64>) {
  %T = einsum.statement (j, k) += -2.0 * %A(j, i) * square(%X(i, k)) : !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %D(i, g) + 0.5 * %T(i, j) * %V(j, g) + %b(g) then relu
    : !dense, !graph, !dense, tensor<?xf64> -> !dense
  einsum.return %H : !dense
}
