// RUN: heddle-opt %s --tile-split | FileCheck %s

// The rows of S are split, so the contraction of the second product is. Every iteration
// adds its result to memory, and one result of all keys is added where each sub-tile would
// add its own: the parts are products one after the other, of no sub-tile.

// CHECK-LABEL: tile.kernel @gradient
tile.kernel @gradient(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %rows = tile.dim %q, 0 : !tile.view<?x?xf16>
  // CHECK-DAG: %[[K0:.*]] = tile.load %{{.*}}[%c0, %c0] {sched.sub = 0 : i64} : {{.*}} -> tensor<64x64xf16>
  // CHECK-DAG: %[[K1:.*]] = tile.load %{{.*}} {sched.sub = 1 : i64} : {{.*}} -> tensor<64x64xf16>
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x64xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  scf.for %i = %c0 to %rows step %c64 {
    %qs = tile.load %q[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %qt = tile.trans %qs, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %ks, %qt, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %in = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf16>
    %t = tile.trans %in, [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    // CHECK: %[[D0:.*]] = tile.dot %{{.*}}, %[[K0]], %{{.*}} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    // CHECK: %[[D1:.*]] = tile.dot %{{.*}}, %[[K1]], %[[D0]] : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %d = tile.dot %t, %ks, %zero : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
    %factor = tile.splat %scale : f32 -> tensor<64x64xf32>
    // CHECK: %[[S:.*]] = arith.mulf %[[D1]], %{{.*}} : tensor<64x64xf32>
    // CHECK: tile.view_reduce fadd, %[[S]], %{{.*}}[%{{.*}}, %c0] : tensor<64x64xf32>
    // CHECK-NOT: tile.view_reduce
    %scaled = arith.mulf %d, %factor : tensor<64x64xf32>
    tile.view_reduce fadd, %scaled, %dq[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// What the sub-tiles carry leaves no registers for one more process: an addend each.

// CHECK-LABEL: tile.kernel @full
tile.kernel @full(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>, %o: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %rows = tile.dim %q, 0 : !tile.view<?x?xf16>
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x64xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %wide = tile.splat %f0 : f32 -> tensor<128x256xf32>
  %kw = tile.load %k[%c0, %c64] : !tile.view<?x?xf16> -> tensor<128x128xf16>
  %zero = tile.splat %f0 : f32 -> tensor<64x128xf32>
  %sum = scf.for %i = %c0 to %rows step %c64 iter_args(%before = %wide) -> (tensor<128x256xf32>) {
    %qs = tile.load %q[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %vs = tile.load %q[%i, %c64] : !tile.view<?x?xf16> -> tensor<64x256xf16>
    %qt = tile.trans %qs, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %ks, %qt, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %in = tile.cast %s : tensor<128x64xf32> -> tensor<128x64xf16>
    %next = tile.dot %in, %vs, %before : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    %t = tile.trans %in, [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %t, %kw, %zero : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
    // CHECK: tile.view_reduce fadd, %{{.*}}[%{{.*}}] {sched.sub = 0 : i64}
    // CHECK: tile.view_reduce fadd, %{{.*}}[%{{.*}}] {sched.sub = 1 : i64}
    tile.view_reduce fadd, %d, %dq[%i, %c0] : tensor<64x128xf32>, !tile.view<?x?xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  tile.store %sum, %o[%c0, %c0] : tensor<128x256xf32>, !tile.view<?x?xf32>
}
