// RUN: heddle-opt %s --sched-name-ops --tile-split --split-input-file | FileCheck %s

// A causal mask compares the positions of rows with the same positions as columns: each user
// computes its own, so that those of rows are split and those of columns are not.

// CHECK-LABEL: tile.kernel @causal
// CHECK: %[[LATER:.*]] = arith.addi {{.*}}sched.op = "iota.1.from"{{.*}} : tensor<64xi32>
// CHECK: %[[ROWS:.*]] = arith.addi %{{.*}}, %[[LATER]] {{.*}} : tensor<64xi32>
// CHECK: %[[COLUMNS:.*]] = arith.addi {{.*}} : tensor<128xi32>
// CHECK: tile.expand_dims %[[ROWS]], 1 {{.*}} -> tensor<64x1xi32>
// CHECK: tile.expand_dims %[[COLUMNS]], 0 {{.*}} -> tensor<1x128xi32>
// CHECK: arith.cmpi sge, {{.*}}sched.sub = 0{{.*}} : tensor<64x128xi32>
// CHECK: arith.cmpi sge, {{.*}}sched.sub = 1{{.*}} : tensor<64x128xi32>
// CHECK-NOT: tensor<128x128x
tile.kernel @causal(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %start: i32, %i: index) {
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %starts = tile.splat %start : i32 -> tensor<128xi32>
  %iota = tile.iota : tensor<128xi32>
  %at = arith.addi %starts, %iota : tensor<128xi32>
  %rows = tile.expand_dims %at, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %columns = tile.expand_dims %at, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<128x64xf16>
  %y = tile.load %b[%i, %i] : !tile.view<?x?xf16> -> tensor<64x128xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %r = tile.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %k = tile.broadcast %columns : tensor<1x128xi32> -> tensor<128x128xi32>
  %seen = arith.cmpi sge, %r, %k : tensor<128x128xi32>
  %s = arith.select %seen, %d, %zero : tensor<128x128xi1>, tensor<128x128xf32>
  tile.store %s, %c[%i, %i] : tensor<128x128xf32>, !tile.view<?x?xf32>
}

// -----

// Numbers of columns that both the sub-tiles' masks and an operand that threads make read: each
// sub-tile has its own, and the operand, which may be another process's, keeps them whole.

// CHECK-LABEL: tile.kernel @also_whole
// CHECK-DAG: %[[WHOLE:.*]] = tile.expand_dims %{{.*}}, 0 {sched.op = "expand_dims"} : tensor<64xi32> -> tensor<1x64xi32>
// CHECK-DAG: %[[FIRST:.*]] = tile.expand_dims %{{.*}}, 0 {sched.of = "expand_dims", sched.op = "expand_dims.0", sched.sub = 0 : i64}
// CHECK-DAG: %[[SECOND:.*]] = tile.expand_dims %{{.*}}, 0 {sched.of = "expand_dims", sched.op = "expand_dims.1", sched.sub = 1 : i64}
// CHECK: tile.broadcast %[[WHOLE]] {{.*}} -> tensor<32x64xi32>
// CHECK: tile.broadcast %[[FIRST]] {{.*}} -> tensor<64x64xi32>
// CHECK: tile.broadcast %[[SECOND]] {{.*}} -> tensor<64x64xi32>
tile.kernel @also_whole(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %end: i32, %i: index) {
  %f0 = arith.constant 0.0 : f32
  %h0 = arith.constant 0.0 : f16
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %none = tile.splat %h0 : f16 -> tensor<32x64xf16>
  %iota = tile.iota : tensor<64xi32>
  %columns = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %y = tile.load %b[%i, %i] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %few = tile.broadcast %columns : tensor<1x64xi32> -> tensor<32x64xi32>
  %fewer = tile.splat %end : i32 -> tensor<32x64xi32>
  %kept = arith.cmpi slt, %few, %fewer : tensor<32x64xi32>
  %z = arith.select %kept, %y, %none : tensor<32x64xi1>, tensor<32x64xf16>
  %d = tile.dot %x, %z, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  %all = tile.broadcast %columns : tensor<1x64xi32> -> tensor<128x64xi32>
  %ends = tile.splat %end : i32 -> tensor<128x64xi32>
  %seen = arith.cmpi slt, %all, %ends : tensor<128x64xi32>
  %s = arith.select %seen, %d, %zero : tensor<128x64xi1>, tensor<128x64xf32>
  tile.store %s, %c[%i, %i] : tensor<128x64xf32>, !tile.view<?x?xf32>
}
