// RUN: heddle-opt %S/../EndToEnd/Inputs/sums-first.mlir --step-to-sched 2>/dev/null | FileCheck %s --check-prefix=FIRST
// RUN: heddle-opt %s --step-to-sched 2>/dev/null | FileCheck %s
// Sums of rows in front of a product: no product is in their loop, so no schedule is found for
// it, but the copying process loads for it, ahead of the processes that add up.

// FIRST-LABEL: sched.plan @sums_first
// FIRST-DAG: sched.ring "load_a.0" depth 4
// FIRST-DAG: sched.ring "load_a.1" depth 4
// FIRST-DAG: sched.ring "loads" depth 4
// FIRST: sched.table "loop" ii 0
// FIRST: "load_a.0" on "tma" {{.*}} in "load" via "load_a.0"
// FIRST: "load_a.1" on "tma" {{.*}} in "load" via "load_a.1"
// FIRST: "reduce.0" {{.*}} in "mma.0"
// FIRST: "reduce.1" {{.*}} in "mma.1"

// The kernel writes what the loop reads: who writes it reads it, too, in one process for both
// parts, since the store's columns are not the load's.

// CHECK-LABEL: sched.plan @written
// CHECK-NOT: "mma.1"
// CHECK-NOT: sched.ring "load_a"
// CHECK: sched.ring "load_x"
// CHECK: sched.table "loop" ii 0
// CHECK: "load_a.0" on "load" {{.*}} in "mma.0"
// CHECK: "store_a.1" on "store" {{.*}} in "mma.0"
!row = tensor<128xf32>
!acc = tensor<128x128xf32>
tile.kernel @written(%a: !tile.view<?x?xf32>, %x: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?xf16>
  %k = tile.dim %x, 1 : !tile.view<?x?xf16>
  %g = arith.ceildivui %m, %c128 : index
  tile.parallel (%i) to (%g) {
    %at = arith.muli %i, %c128 : index
    %none = tile.splat %f0 : f32 -> !row
    %sums = scf.for %kk = %c0 to %k step %c64 iter_args(%sum = %none) -> (!row) {
      %w = tile.load %a[%at, %kk] : !tile.view<?x?xf32> -> tensor<128x64xf32>
      %here = tile.reduce %w axis 1 : tensor<128x64xf32> -> !row combine (%p: f32, %q: f32) {
        %s = arith.addf %p, %q : f32
        tile.yield %s : f32
      }
      %next = arith.addf %sum, %here : !row
      scf.yield %next : !row
    }
    %zero = tile.splat %f0 : f32 -> !acc
    %d = scf.for %kk = %c0 to %k step %c64 iter_args(%acc = %zero) -> (!acc) {
      %v = tile.load %x[%at, %kk] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x128xf16>
      %r = tile.dot %v, %y, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> !acc
      scf.yield %r : !acc
    }
    %column = tile.expand_dims %sums, 1 : !row -> tensor<128x1xf32>
    %all = tile.broadcast %column : tensor<128x1xf32> -> !acc
    %scaled = arith.mulf %d, %all : !acc
    tile.store %scaled, %a[%at, %c0] : !acc, !tile.view<?x?xf32>
  }
}
