// A result without indices: one element, also where nothing is summed.
// RUN: heddle run %s --view A=30x40 --view B=30x40 --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=30x40 --view B=30x40 --interpret | FileCheck %s
// RUN: heddle run %s --view A=30x40 --view B=30x40 --pattern A=empty --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle run %s --view A=0x40 --view B=0x40 --plan=all | FileCheck %s --check-prefix=ALL
// RUN: heddle compile %s --emit=einsum -o %t.mlir
// RUN: heddle run %t.mlir --view A=30x40 --view B=30x40 | FileCheck %s
// ALL: plans, all right, each with the same bits for any workers
// CHECK: s (f32): {{.*}}right
// CHECK: m (f32): equal to the oracle; right
// CHECK: n (f32): {{.*}}right
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @all(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %s = einsum.statement () += %A(i, j) * %B(i, j) : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<f32>
  %m = einsum.statement () += %A(i, j) over "max-plus" then relu : tensor<?x?xf32, #csr> -> tensor<f32>
  %n = einsum.statement () += %B(i, j) - 2.0 * %A(i, j) then sigmoid
    : tensor<?x?xf32>, tensor<?x?xf32, #csr> -> tensor<f32>
  einsum.return %s, %m, %n : tensor<f32>, tensor<f32>, tensor<f32>
}
