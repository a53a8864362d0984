// RUN: heddle-opt %s --sched-name-ops --tile-split --split-input-file | FileCheck %s

// Rows are split; the right operand and K stay whole; a row vector's load is
// repeated for each sub-tile.
// CHECK-LABEL: tile.kernel @two_subtiles
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-DAG: tile.load %a[%{{.*}}] {sched.op = "load_a.0", sched.sub = 0 : i64} : {{.*}} -> tensor<64x32xf16>
// CHECK-DAG: tile.load %a[%{{.*}}] {sched.op = "load_a.1", sched.sub = 1 : i64} : {{.*}} -> tensor<64x32xf16>
// CHECK-DAG: tile.load %b[%{{.*}}] {sched.op = "load_b"} : {{.*}} -> tensor<32x64xf16>
// CHECK-DAG: tile.dot {{.*}} {sched.op = "dot.0", sched.sub = 0 : i64}
// CHECK-DAG: tile.dot {{.*}} {sched.op = "dot.1", sched.sub = 1 : i64}
// CHECK: } {sched.loop = "loop"}
// CHECK-DAG: tile.load %bias{{.*}} {sched.op = "load_bias.0"
// CHECK-DAG: tile.load %bias{{.*}} {sched.op = "load_bias.1"
// CHECK: tile.store {{.*}} {sched.op = "store_c.0"
// CHECK: %[[C64:.*]] = arith.constant 64 : index
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[C64]]
// CHECK: tile.store {{.*}}%c[%[[ROW]], %{{.*}}] {sched.op = "store_c.1"
tile.kernel @two_subtiles(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %bias: !tile.view<?xf32>,
                          %c: !tile.view<?x?xf32>, %row: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %acc = scf.for %i = %c0 to %k step %c32 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
    %x = tile.load %a[%row, %i] : !tile.view<?x?xf16> -> tensor<128x32xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %v = tile.load %bias[%c0] : !tile.view<?xf32> -> tensor<64xf32>
  %w = tile.expand_dims %v, 0 : tensor<64xf32> -> tensor<1x64xf32>
  %u = tile.broadcast %w : tensor<1x64xf32> -> tensor<128x64xf32>
  %o = arith.addf %acc, %u : tensor<128x64xf32>
  tile.store %o, %c[%row, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
}

// -----

// 64 rows are one wgmma: nothing to split.
// CHECK-LABEL: tile.kernel @whole
// CHECK-NOT: sched.sub
// CHECK: tile.store
tile.kernel @whole(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.store %d, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
