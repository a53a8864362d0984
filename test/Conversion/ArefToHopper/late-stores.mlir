// RUN: heddle-opt %S/../SchedToAref/expand-late.mlir --sched-expand --cse --aref-to-hopper | FileCheck %s

// Through TMA, the iterations of the next instance store the tile of the last one,
// a round each; what iterations there were not comes behind the loop.
// CHECK-LABEL: hopper.kernel @k(
// CHECK: hopper.process "mma"
// CHECK:   scf.for %{{.*}} iter_args(%[[LEFT:[a-z0-9]+]] = {{.*}}) -> (tensor<64x64xf16
// CHECK:     hopper.wgmma
// CHECK-NOT: hopper.tma_store
// CHECK:     scf.for %[[K:[a-z0-9_]+]] =
// CHECK:       hopper.wgmma
// CHECK:       hopper.arrive
// CHECK:       scf.if
// CHECK:         %[[DUE:.*]] = arith.cmpi eq, %[[K]], %{{.*}}
// CHECK:         scf.if %[[DUE]] {
// CHECK:           hopper.tma_store_wait 0
// CHECK:           hopper.local_store %[[LEFT]]
// CHECK:           hopper.tma_store
// CHECK:     hopper.wgmma_wait {{.*}} pending 0
// CHECK:     tile.cast

// Threads store at the end of the instance, and nothing is carried.
// CHECK-LABEL: hopper.kernel @k_plain_stores(
// CHECK: hopper.process "mma"
// CHECK-NOT: iter_args({{.*}}xf16
// CHECK:     %[[CAST:.*]] = tile.cast
// CHECK:     hopper.global_store %[[CAST]]
// CHECK:     scf.yield
