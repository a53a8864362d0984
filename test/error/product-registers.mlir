// RUN: heddle compile %examples/gemm.mlir --set BM=192 --set BN=224 --or-tile=none -o %t.ptx 2>&1 | FileCheck %s
// Three groups that multiply and one that loads have 128 registers a thread, which no
// setmaxnreg changes for a product. The kernel runs as one process instead.
// CHECK: gemm.mlir:22:1: remark: the kernel runs in program order, because it was not to be had as several processes: 'hopper.wgmma' adds to 224 columns, which takes 112 registers of each thread and 26 beside them, but of a launch of 512 threads each has 128; take at most 200 columns, or tiles of fewer rows, which fewer groups multiply [product-registers] [one-process]
