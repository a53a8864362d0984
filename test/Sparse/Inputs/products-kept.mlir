// Nothing here may be multiplied in another order: T is read twice; the product of max-times does not distribute over
// negative numbers; a function is computed of U; the elements of a dense W stand where no product does, so R would have
// others; of S a plan speaks.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>

einsum.program @kept(%A: !graph, %X: !graph, %V: !graph) {
  %T = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %T(i, f) * %V(f, g) : !graph, !graph -> !graph
  %G = einsum.statement (i, g) += %T(i, f) * %X(f, g) : !graph, !graph -> !graph
  %M = einsum.statement (i, f) += %A(i, j) * %H(j, f) over "max-times" : !graph, !graph -> !graph
  %N = einsum.statement (i, g) += %M(i, f) * %V(f, g) over "max-times" : !graph, !graph -> !graph
  %U = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %Q = einsum.statement (i, g) += relu(%U(i, f)) * %V(f, g) : !graph, !graph -> !graph
  %W = einsum.statement (i, f) += %A(i, j) * %N(j, f) : !graph, !graph -> !dense
  %R = einsum.statement (i, g) += %W(i, f) * %V(f, g) : !dense, !graph -> !graph
  %S = einsum.statement (i, f) += %A(i, j) * %R(j, f) : !graph, !graph -> !graph
  %Y = einsum.statement (i, g) += %S(i, f) * %V(f, g) + %Q(i, g) + %G(i, g)
    : !graph, !graph, !graph, !graph -> !graph
  einsum.return %Y : !graph
}
einsum.plan @kept {
  einsum.streams "S" order ["i", "j", "f"] region 9
}
