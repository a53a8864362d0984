// Tensors without axes: one value, which every element may read, in kernels and as streams.
// RUN: heddle run %s --view A=30x40 --view B=30x40 | FileCheck %s --check-prefix=KERNEL
// RUN: heddle run %s --view A=30x40 --view B=30x40 --interpret | FileCheck %s --check-prefix=KERNEL
// RUN: heddle run %s --view A=0x4 --view B=0x4 | FileCheck %s --check-prefix=KERNEL
// RUN: heddle run %s --view A=30x40 --view B=30x40 --plan=all | FileCheck %s --check-prefix=ALL
// KERNEL-DAG: s (f32): {{.*}}right
// KERNEL-DAG: C ({{.*}}): {{.*}}right
// KERNEL-DAG: y ({{.*}}): {{.*}}right
// ALL: plans, all right, each with the same bits for any workers

// A sum of all is known behind the last element; what reads it waits for it, or reads it from memory.
// DEFINE: %{streams} = heddle simulate %s --view A=30x40 --view B=30x40 --density A=0.1
// RUN: %{streams} --order=timed --engine=both | FileCheck %s --check-prefix=STREAMS
// RUN: %{streams} --order=adversarial --regions=0,0,0,0 | FileCheck %s --check-prefix=STREAMS
// RUN: %{streams} --order=random --regions=0,0,1,1 | FileCheck %s --check-prefix=STREAMS
// RUN: %{streams} --order=timed --engine=both --regions=0,0,0,0 --parallel=i:4,j:2 | FileCheck %s --check-prefix=STREAMS
// RUN: heddle simulate %s --view A=0x4 --view B=0x4 --regions=0,0,0,0 --order=timed --engine=both | FileCheck %s --check-prefix=STREAMS
// RUN: heddle simulate %s --view A=3x0 --view B=3x0 --regions=0,0,0,0 --order=random | FileCheck %s --check-prefix=STREAMS
// STREAMS-DAG: s (f32): {{.*}}right
// STREAMS-DAG: C ({{.*}}): {{.*}}right
// STREAMS-DAG: y ({{.*}}): {{.*}}right
// STREAMS: as processes: the same

// RUN: %{streams} --regions=0,0,0,0 --slots=least | FileCheck %s --check-prefix=STREAMS

// RUN: heddle explain %s --view A=30x40 --view B=30x40 --regions=auto | FileCheck %s --check-prefix=SEARCH
// SEARCH: regions:
// SEARCH: no other division takes less than

// A scalar has no sizes to give.
// RUN: not heddle run %s --view A=30x40 --view B=30x40 --view a=1 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: a has 0 axes, and --view gives it 1 sizes [einsum-operands]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @scaled(%a: tensor<f32>, %A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %s = einsum.statement () += %A(i, j) * %B(i, j) : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<f32>
  %m = einsum.statement () += %A(i, j) over "max-plus" then relu : tensor<?x?xf32, #csr> -> tensor<f32>
  %C = einsum.statement (i, j) += %a() * %A(i, j) * sigmoid(%s())
    : tensor<f32>, tensor<?x?xf32, #csr>, tensor<f32> -> tensor<?x?xf32, #csr>
  %y = einsum.statement (i) += %C(i, j) * %m() + 2.0 * %a() * %s() * %B(i, j)
    : tensor<?x?xf32, #csr>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<?x?xf32> -> tensor<?xf32>
  einsum.return %s, %C, %y : tensor<f32>, tensor<?x?xf32, #csr>, tensor<?xf32>
}
