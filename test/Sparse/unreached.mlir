// Functions of elements that no product reaches round as others do: log(exp(tanh(infinity))) is 1, and in f32 one
// unit less. Infinity itself, the zero of min-plus, is no number to be near.
// RUN: heddle run %s --view=A=3x2 --pattern=A=empty --plan=all --interpret | FileCheck %s
// RUN: heddle run %s --view=A=30x20 --density=A=0.02 --plan=all | FileCheck %s
// CHECK: plans, all right
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>) {
  %R = einsum.statement (i) += %A(i, j) over "min-plus" : tensor<?x?xf32, #csr> -> tensor<?xf32>
  %S = einsum.statement (i) += %A(i, j) over "min-plus" then tanh, exp, log
    : tensor<?x?xf32, #csr> -> tensor<?xf32>
  %T = einsum.statement (i) += %R(i) * %S(i) over "min-plus" then sigmoid, log
    : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %R, %S, %T : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
