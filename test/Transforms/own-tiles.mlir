// RUN: heddle-opt %s --tile-own-tiles | FileCheck %s

// One tile handed on twice, one that a turn before had, and a number, which needs no owner. A
// sub-tile's belongs to the same sub-tile.
// CHECK-LABEL: tile.kernel @rows
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[OLD:.*]] = %{{.*}}, %[[OLDER:.*]] = %{{.*}}, %[[OLDEST:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}})
// CHECK: %[[SUM:.*]] = tile.reduce
// CHECK: %[[TWICE:.*]] = tile.reshape %[[SUM]] {sched.of = "reduce.handed_on", sched.op = "reduce.handed_on.1", sched.sub = 1 : i64} : tensor<64xf32> -> tensor<64xf32>
// CHECK: %[[BEFORE:.*]] = tile.reshape %[[OLDER]] {sched.of = "reduce.handed_on.handed_on", sched.op = "reduce.handed_on.handed_on.1", sched.sub = 1 : i64}
// CHECK: scf.yield %{{.*}}, %[[SUM]], %[[TWICE]], %[[BEFORE]], %[[N]]
// A loop without products keeps what it has.
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK-NEXT: scf.yield %[[B]], %[[A]]
tile.kernel @rows(%x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %acc0 = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %row0 = tile.splat %f0 : f32 -> tensor<64xf32>
  %r:5 = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %acc0, %old = %row0, %older = %row0, %oldest = %row0, %m = %c0) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, index) {
    %a = tile.load %x[%c0, %k] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %y[%k, %c0] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %a, %b, %acc {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %w = tile.cast %a {sched.op = "cast"} : tensor<64x64xf16> -> tensor<64x64xf32>
    %s = tile.reduce %w axis 1 {sched.of = "reduce", sched.op = "reduce.1", sched.sub = 1 : i64} : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      tile.yield %t : f32
    }
    scf.yield %d, %s, %s, %older, %m : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, index
  } {sched.loop = "loop"}
  %q:2 = scf.for %k = %c0 to %n step %c64 iter_args(%e = %row0, %f = %row0) -> (tensor<64xf32>, tensor<64xf32>) {
    scf.yield %f, %e : tensor<64xf32>, tensor<64xf32>
  } {sched.loop = "loop_2"}
}

// Rows that only change places have no maker in the loop: they are of the
// sub-tile that reads them.
// CHECK-LABEL: tile.kernel @swapped
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[OLD:.*]] = %{{.*}}, %[[OLDER:.*]] = %{{.*}})
// CHECK: %[[A:.*]] = tile.reshape %[[OLDER]] {{{.*}}sched.op = "expand_dims.handed_on.1", sched.sub = 1 : i64}
// CHECK: %[[B:.*]] = tile.reshape %[[OLD]] {{{.*}}sched.sub = 1 : i64}
// CHECK: scf.yield %{{.*}}, %[[A]], %[[B]]
tile.kernel @swapped(%x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %acc0 = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %row0 = tile.splat %f0 : f32 -> tensor<64xf32>
  %r:3 = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %acc0, %old = %row0, %older = %row0) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) {
    %a = tile.load %x[%c0, %k] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %y[%k, %c0] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %a, %b, %acc {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %column = tile.expand_dims %old, 1 {sched.of = "expand_dims", sched.op = "expand_dims.1", sched.sub = 1 : i64} : tensor<64xf32> -> tensor<64x1xf32>
    %scale = tile.broadcast %column {sched.of = "broadcast", sched.op = "broadcast.1", sched.sub = 1 : i64} : tensor<64x1xf32> -> tensor<64x64xf32>
    %s = arith.mulf %d, %scale {sched.of = "mulf", sched.op = "mulf.1", sched.sub = 1 : i64} : tensor<64x64xf32>
    scf.yield %s, %older, %old : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
  } {sched.loop = "loop"}
}
