// RUN: heddle-opt %s --ttir-to-tile | FileCheck %s
// A `while` that counts is a loop over numbers, and tf32x3 is three products.

// CHECK-LABEL: tile.kernel @counts
// CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[I:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: arith.addi %[[SUM]], %[[I]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK: scf.yield %[[NEXT]], %{{.*}}
// CHECK: arith.addi %[[LOOP]]#0, %[[LOOP]]#1
tt.func public @counts(%out: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r:2 = scf.while (%i = %c0, %sum = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %sum : i32, i32
  } do {
  ^bb0(%i: i32, %sum: i32):
    %added = arith.addi %sum, %i : i32
    %next = arith.addi %i, %c4 : i32
    scf.yield %next, %added : i32, i32
  }
  %both = arith.addi %r#0, %r#1 : i32
  tt.store %out, %both : !tt.ptr<i32>
  tt.return
}

// Written the other way round, and moved on by the first operand.
// CHECK-LABEL: tile.kernel @turned
// CHECK: scf.for
tt.func public @turned(%out: !tt.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c1) : (i32) -> i32 {
    %more = arith.cmpi sgt, %n, %i : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %c1, %i : i32
    scf.yield %next : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}

// These do not count: a step that is no positive constant, a bound that changes, another
// comparison, a value that moves on in another way, values that change places.
// CHECK-LABEL: tile.kernel @others
// CHECK-NOT: scf.for
// CHECK-COUNT-5: scf.while
tt.func public @others(%out: !tt.ptr<i32>, %n: i32, %s: i32) {
  %c1 = arith.constant 1 : i32
  %down = arith.constant -1 : i32
  %a = scf.while (%i = %c1) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %s : i32
    scf.yield %next : i32
  }
  %b:2 = scf.while (%i = %a, %end = %n) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i, %end : i32, i32
  } do {
  ^bb0(%i: i32, %end: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %next : i32, i32
  }
  %c = scf.while (%i = %b#0) : (i32) -> i32 {
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  %d = scf.while (%i = %c) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %down : i32
    scf.yield %next : i32
  }
  %e:2 = scf.while (%i = %d, %j = %c1) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %j, %i : i32, i32
  } do {
  ^bb0(%i: i32, %j: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %j : i32, i32
  }
  tt.store %out, %e#0 : !tt.ptr<i32>
  tt.return
}

// CHECK-LABEL: tile.kernel @three
// CHECK-DAG: arith.constant -8192 : i32
// CHECK: %[[SA:.*]] = arith.subf %[[A:.*]], %[[LA:.*]] : tensor<16x16xf32>
// CHECK: %[[SB:.*]] = arith.subf %[[B:.*]], %[[LB:.*]] : tensor<16x16xf32>
// CHECK: %[[P:.*]] = tile.dot %[[SA]], %[[LB]], %[[ZERO:.*]] {tf32}
// CHECK: %[[Q:.*]] = tile.dot %[[LA]], %[[SB]], %[[P]] {tf32}
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[Q]], %[[Q]]
// CHECK: %[[SMALL:.*]] = arith.select %[[IS]], %[[Q]], %[[ZERO]]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[SMALL]]
// CHECK: tile.dot %[[LA]], %[[LB]], %[[SUM]] {tf32}
tt.func public @three(%out: !tt.ptr<f32>, %x: f32) {
  %a = tt.splat %x : f32 -> tensor<16x16xf32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %d = tt.dot %a, %a, %a, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %row = "tt.reduce"(%d) <{axis = 1 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %s = arith.addf %u, %v : f32
    tt.reduce.return %s : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  %q = tt.addptr %p, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %q, %row : tensor<16x!tt.ptr<f32>>
  tt.return
}
