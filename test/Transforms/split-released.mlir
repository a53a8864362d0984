// RUN: heddle-opt %s --tile-distribute --sched-name-ops --tile-split | FileCheck %s
// RUN: heddle compile %s -o %t.ptx
// RUN: heddle check %s
// What a counter publishes comes in front of it, in one process. Nobody here looks at the counter, so nobody knows
// what it could have acquired: what the next turn loads is any process's.
// CHECK-LABEL: tile.kernel @released
// CHECK-NOT: tile.in_order
// CHECK: tile.store {{.*}}tile.in_order
// CHECK: tile.atomic_rmw {{.*}}tile.in_order
tile.kernel @released(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %count: !tile.ptr<i32>, %n: index, %turns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    scf.for %turn = %c0 to %turns step %c1 {
      %row = arith.muli %turn, %c64 : index
      %column = arith.muli %i, %c64 : index
      %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
        %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %y = tile.load %b[%k, %column] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %p : tensor<64x64xf32>
      }
      tile.store %s, %c[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
      %old = tile.atomic_rmw add, acq_rel, gpu, %count, %one : !tile.ptr<i32>, i32 -> i32
    }
  }
}
