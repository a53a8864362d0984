// RUN: heddle-opt %s --tile-split | FileCheck %s

// The rows of S are split, so the second product's contraction is: each sub-tile
// multiplies its 64 keys, has an addend of all 32 x 16 results, and adds it to
// memory. What is linear in it is done to each.

// CHECK-LABEL: tile.kernel @gradient
tile.kernel @gradient(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>, %scale: f32) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  // CHECK-DAG: %[[K0:.*]] = tile.load %{{.*}}[%c0, %c0] {sched.sub = 0 : i64} : {{.*}} -> tensor<64x16xf16>
  // CHECK-DAG: %[[K1:.*]] = tile.load %{{.*}} {sched.sub = 1 : i64} : {{.*}} -> tensor<64x16xf16>
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x16xf16>
  %qs = tile.load %q[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x32xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %s = tile.dot %ks, %qs, %none : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  %in = tile.cast %s : tensor<128x32xf32> -> tensor<128x32xf16>
  %t = tile.trans %in, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
  %zero = tile.splat %f0 : f32 -> tensor<32x16xf32>
  // CHECK: %[[D0:.*]] = tile.dot %{{.*}}, %[[K0]], %[[ZERO:.*]] {sched.sub = 0 : i64} : tensor<32x64xf16>, tensor<64x16xf16> -> tensor<32x16xf32>
  // CHECK: %[[D1:.*]] = tile.dot %{{.*}}, %[[K1]], %[[ZERO]] {sched.sub = 1 : i64} : tensor<32x64xf16>, tensor<64x16xf16> -> tensor<32x16xf32>
  %d = tile.dot %t, %ks, %zero : tensor<32x128xf16>, tensor<128x16xf16> -> tensor<32x16xf32>
  %factor = tile.splat %scale : f32 -> tensor<32x16xf32>
  // CHECK: %[[S0:.*]] = arith.mulf %[[D0]], %[[F:.*]] {sched.sub = 0 : i64}
  // CHECK: %[[S1:.*]] = arith.mulf %[[D1]], %{{.*}} {sched.sub = 1 : i64}
  %scaled = arith.mulf %d, %factor : tensor<32x16xf32>
  // CHECK: tile.view_reduce fadd, %[[S0]], %{{.*}}[%c0, %c0] {sched.sub = 0 : i64}
  // CHECK: tile.view_reduce fadd, %[[S1]], %{{.*}}[%c0, %c0] {sched.sub = 1 : i64}
  tile.view_reduce fadd, %scaled, %dq[%c0, %c0] : tensor<32x16xf32>, !tile.view<?x?xf32>
}
