// R stores -infinity where A has no element and x has one, unless it is counted: no later statement may take it for
// an element, be it behind a statement that only multiplies.
// RUN: heddle run %s --view=A=9x7 --view=x=9 --view=y=9 --density=A=0.1 --pattern=x=full --plan=all --interpret | FileCheck %s
// RUN: heddle run %s --view=A=30x2 --view=x=30 --view=y=30 --density=A=0.02 --density=x=0.6 --plan=all | FileCheck %s
// CHECK: plans, all right
#list = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!vector = tensor<?xf32, #list>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: !vector, %y: tensor<?xf32>) {
  %R = einsum.statement (i) += %A(i, j) * %x(i) over "max-plus" : tensor<?x?xf32, #csr>, !vector -> !vector
  %S = einsum.statement (i) += %R(i) * %R(i) over "max-plus" : !vector, !vector -> !vector
  %T = einsum.statement (i) += %y(i) where %S(i) over "max-plus" : tensor<?xf32>, !vector -> !vector
  einsum.return %T : !vector
}
