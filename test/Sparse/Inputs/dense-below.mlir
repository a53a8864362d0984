// The second term lacks i and k. The first one has all k, but only at the j that it stores.
#below = #sparse_tensor.encoding<{ map = (j, k, i) -> (i : dense, j : compressed, k : dense) }>
#some = #sparse_tensor.encoding<{ map = (j) -> (j : compressed) }>
#rows = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : dense, k : compressed) }>
einsum.program @dense_below(%T: tensor<?x?x?xf32, #below>, %R: tensor<?xf32, #some>) {
  %C = einsum.statement (i, j, k) += %T(j, k, i) + %R(j)
    : tensor<?x?x?xf32, #below>, tensor<?xf32, #some> -> tensor<?x?x?xf32, #rows>
  einsum.return %C : tensor<?x?x?xf32, #rows>
}
