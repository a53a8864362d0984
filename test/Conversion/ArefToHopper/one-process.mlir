// RUN: heddle-opt %s --aref-to-hopper --verify-diagnostics | FileCheck %s
//
// A program without specialisation: one process, no ring. Operand a is read into
// the registers that wgmma takes it from; b goes through scratch memory.

// CHECK-LABEL: hopper.kernel @single(
// CHECK-SAME: threads 128
tile.kernel @single(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %zero = arith.constant dense<0.0> : tensor<64x40xf32>
  // CHECK: hopper.process "all" warps 0 + 4 registers 0 {
  aref.process "all" warps 4 registers 0 {
    // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}})
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%s = %zero) -> (tensor<64x40xf32>) {
      // CHECK: %[[X:.*]] = hopper.global_load %{{.*}} -> tensor<64x32xf16, {{.*}}tile = [64, 16], rep = [1, 2]
      %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      // CHECK: %[[Y:.*]] = hopper.global_load %{{.*}} -> tensor<32x40xf16, #hopper.layout<lane = [8, 0, 16, 0
      %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<32x40xf16>
      // CHECK: hopper.sync 1 threads 128
      // CHECK-NEXT: %[[B:.*]] = hopper.buffer "all.b" at 0 : !hopper.smem<32x40xf16, order = [0, 1], swizzle = 64>
      // CHECK-NEXT: hopper.local_store %[[Y]], %[[B]]
      // CHECK-NEXT: hopper.fence_async
      // CHECK-NEXT: hopper.sync 1 threads 128
      // CHECK-NEXT: %[[F:.*]] = hopper.wgmma %[[X]], %[[B]], %[[ACC]]
      // CHECK-NEXT: hopper.wgmma_wait %[[F]] pending 0
      // expected-remark @+1 {{threads write operand b to shared memory for each dot: 2560 B, and no overlap}}
      %d = tile.dot %x, %y, %s : tensor<64x32xf16>, tensor<32x40xf16> -> tensor<64x40xf32>
      scf.yield %d : tensor<64x40xf32>
    }
    tile.store %acc, %c[%c0, %c0] : tensor<64x40xf32>, !tile.view<?x?xf32>
  }
}
