// R stores infinity where A has no element and x has one, unless it is counted: below a mask, a function makes something
// else of it, which is no value of an element that is missing.
// RUN: heddle run %s --view=A=9x7 --view=x=9 --view=M=9 --density=A=0.1 --pattern=x=full --density=M=0.8 --plan=all --interpret | FileCheck %s
// RUN: heddle run %s --view=A=30x2 --view=x=30 --view=M=30 --density=A=0.02 --density=x=0.6 --pattern=M=full --plan=all | FileCheck %s
// CHECK: plans, all right
#list = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!vector = tensor<?xf32, #list>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: !vector, %M: !vector) {
  %R = einsum.statement (i) += %A(i, j) * %x(i) over "min-plus" : tensor<?x?xf32, #csr>, !vector -> !vector
  %T = einsum.statement (i) += reciprocal(exp(tanh(%R(i)))) where %M(i) over "min-plus" : !vector, !vector -> !vector
  einsum.return %T : !vector
}
