// Functions behind a merge are computed by a kernel of their own.
#list = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
!t = bf16
!vector = tensor<?x!t, #list>
einsum.program @p(%x: !vector, %y: tensor<?x!t>, %M: !vector) {
  %R = einsum.statement (i) += %x(i) * %y(i) where %M(i) then tanh, exp, reciprocal
    : !vector, tensor<?x!t>, !vector -> !vector
  einsum.return %R : !vector
}
