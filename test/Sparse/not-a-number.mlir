// A minimum or maximum with something that is no number is none, whatever the order and the plan: as in sums, nothing
// hides it. The square root of a negative number is one.
// RUN: heddle run %s --view=A=30x20 --view=x=20 --density=A=0.1 --ints --plan=all --interpret | FileCheck %s
// RUN: heddle run %s --view=A=30x20 --view=x=20 --pattern=A=one --ints --seed=2 --plan=all | FileCheck %s
// CHECK: plans, all right
// RUN: sed "/least = /d; s/, .least : tensor<?xf32>,/ :/" %s > %t.mlir
// RUN: heddle run %t.mlir --device=emulator --view=A=30x20 --view=x=20 --density=A=0.1 --ints | FileCheck %s --check-prefix=KERNEL
// RUN: heddle simulate %s --view=A=30x20 --view=x=20 --density=A=0.1 --ints | FileCheck %s --check-prefix=KERNEL
// KERNEL: ; right
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %most = einsum.statement (i) += %A(i, j) * sqrt(%x(j)) over "max-plus" : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  %least = einsum.statement (i) += %A(i, j) * sqrt(%x(j)) over "min-plus" : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %most, %least : tensor<?xf32>, tensor<?xf32>
}
