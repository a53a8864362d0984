// RUN: heddle-opt %s --sched-name-ops --tile-split --split-input-file | FileCheck %s

// A conditional that only computes tiles is one op of the schedule: each sub-tile
// has its own, with what it needs and no more, and the ops inside have no names.
// CHECK-LABEL: tile.kernel @masked
// CHECK: %[[D0:.*]] = tile.dot {{.*}} {sched.of = "dot", sched.op = "dot.0"
// CHECK: %[[D1:.*]] = tile.dot {{.*}} {sched.of = "dot", sched.op = "dot.1"
// CHECK: %[[M0:.*]] = scf.if %last -> (tensor<64x64xf32>) {
// CHECK-NOT: sched.op
// CHECK: arith.addf %[[D0]],
// CHECK-NOT: arith.addf
// CHECK: } else {
// CHECK: scf.yield %[[D0]]
// CHECK: } {sched.of = "if", sched.op = "if.0", sched.sub = 0 : i64}
// CHECK: %[[M1:.*]] = scf.if %last -> (tensor<64x64xf32>) {
// CHECK: arith.addf %[[D1]],
// CHECK: } {sched.of = "if", sched.op = "if.1", sched.sub = 1 : i64}
// CHECK: scf.yield %[[M0]], %[[M1]]
tile.kernel @masked(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>,
                    %k: index, %last: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %one = tile.splat %f1 : f32 -> tensor<128x64xf32>
  %acc = scf.for %i = %c0 to %k step %c32 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<128x32xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    %m = scf.if %last -> (tensor<128x64xf32>) {
      %more = arith.addf %d, %one : tensor<128x64xf32>
      scf.yield %more : tensor<128x64xf32>
    } else {
      scf.yield %d : tensor<128x64xf32>
    }
    scf.yield %m : tensor<128x64xf32>
  }
  tile.store %acc, %c[%c0, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
}

// -----

// One that loads is divided as before: its ops are scheduled one by one.
// CHECK-LABEL: tile.kernel @loads
// CHECK: scf.if %last -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK: tile.load %c{{.*}} {sched.of = "load_c", sched.op = "load_c.0"
// CHECK: tile.load %c{{.*}} {sched.of = "load_c", sched.op = "load_c.1"
// CHECK-NOT: sched.op = "if
tile.kernel @loads(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %last: i1) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  %m = scf.if %last -> (tensor<128x64xf32>) {
    %old = tile.load %c[%c0, %c0] : !tile.view<?x?xf32> -> tensor<128x64xf32>
    %more = arith.addf %d, %old : tensor<128x64xf32>
    scf.yield %more : tensor<128x64xf32>
  } else {
    scf.yield %d : tensor<128x64xf32>
  }
  tile.store %m, %c[%c0, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
}
