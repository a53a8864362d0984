// RUN: heddle-opt %s --tile-distribute --sched-name-ops --tile-split | FileCheck %s
// RUN: heddle compile %s --emit=sched -o %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: sed '/atomic_rmw/s/"mma.0"/"load"/' %t.mlir > %t.apart.mlir
// RUN: not heddle compile %t.apart.mlir -o %t.ptx 2>&1 | FileCheck %s --check-prefix=APART
// RUN: sed '/store_parts.1/s/"mma.0"/"load"/' %t.mlir > %t.other.mlir
// RUN: not heddle compile %t.other.mlir -o %t.ptx 2>&1 | FileCheck %s --check-prefix=OTHER

// A part is stored, and whoever finds the others done adds all of them up: one process has the store, the count and
// the read. Its tile is cut all the same, so that the tensor core multiplies, and both sub-tiles are that process's.
// What the loop reads in front of them is only read, and another one's.
// APART: process 'load' has this access, and its order with one of process 'mma.0' shows; place both in one process [memory-order]
// OTHER: process 'load' has this access, and its order with one of process 'mma.0' shows; place both in one process [memory-order]
// CHECK-LABEL: tile.kernel @last
// CHECK-NOT: tile.in_order
// CHECK: tile.dot {{.*}}sched.sub = 0{{.*}} tensor<64x64xf16>
// CHECK: tile.dot {{.*}}sched.sub = 1{{.*}} tensor<64x64xf16>
// CHECK: tile.store {{.*}}sched.sub = 0{{.*}}tile.in_order
// CHECK: tile.store {{.*}}sched.sub = 1{{.*}}tile.in_order
// CHECK: tile.atomic_rmw {{.*}}tile.in_order
// CHECK: tile.load {{.*}}tile.in_order
// PLAN: sched.process "load"
// PLAN: sched.process "mma.0"
// PLAN-NOT: sched.process
// PLAN: sched.entry "dot.0" on "tensor" {{.*}} in "mma.0"
// PLAN: sched.entry "dot.1" on "tensor" {{.*}} in "mma.0"
tile.kernel @last(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %parts: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>, %count: !tile.ptr<i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c128 : index
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32>) {
      %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %p = tile.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %p : tensor<128x64xf32>
    }
    tile.store %s, %parts[%row, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
    %old = tile.atomic_rmw add, acq_rel, gpu, %count, %one : !tile.ptr<i32>, i32 -> i32
    %isLast = arith.cmpi eq, %old, %one : i32
    scf.if %isLast {
      %other = tile.load %parts[%c0, %c0] : !tile.view<?x?xf32> -> tensor<128x64xf32>
      tile.store %other, %c[%row, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
    }
  }
}
