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

// Behind a lower bound as well, which holds on once it does: as the tutorial's grouped products
// count their tiles. What the condition is made of does not change.
// CHECK-LABEL: tile.kernel @between
// CHECK: %[[ABOVE:.*]] = arith.cmpi sge, %[[FIRST:.*]], %[[LOW:.*]] : i32
// CHECK: %[[HIGH:.*]] = arith.addi %[[LOW]], %{{.*}} : i32
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[FIRST]], %[[HIGH]] : i32
// CHECK: %[[RUNS:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : i1
// CHECK: %[[I:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK: %[[E:.*]] = arith.index_cast %[[HIGH]] : i32 to index
// CHECK: %[[END:.*]] = arith.select %[[RUNS]], %[[E]], %[[I]] : index
// CHECK: scf.for %{{.*}} = %[[I]] to %[[END]] step
tt.func public @between(%out: !tt.ptr<i32>, %low: i32, %tiles: i32) {
  %first = tt.get_program_id x : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    %above = arith.cmpi sge, %i, %low : i32
    %high = arith.addi %low, %tiles : i32
    %below = arith.cmpi slt, %i, %high : i32
    %more = arith.andi %above, %below : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %count = tt.get_num_programs x : i32
    %next = arith.addi %i, %count : i32
    scf.yield %next : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}

// Down to a number and including it.
// CHECK-LABEL: tile.kernel @down
// CHECK: %[[FIRST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: %[[END:.*]] = arith.addi %[[LAST]], %{{.*}} : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step
// CHECK: arith.subi %{{.*}}, %{{.*}} : i32
tt.func public @down(%out: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %more = arith.cmpi sge, %i, %c0 : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.subi %i, %c4 : i32
    scf.yield %next : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}

// These do not count: a step that is no positive constant, a bound that changes, another
// comparison, a value that moves on in another way, values that change places, two numbers that end
// the loop.
// CHECK-LABEL: tile.kernel @others
// CHECK-NOT: scf.for
// CHECK-COUNT-6: scf.while
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
    %more = arith.cmpi ne, %i, %n : i32
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
  %f:2 = scf.while (%i = %e#0, %j = %c1) : (i32, i32) -> (i32, i32) {
    %one = arith.cmpi slt, %i, %n : i32
    %other = arith.cmpi slt, %j, %s : i32
    %more = arith.andi %one, %other : i1
    scf.condition(%more) %i, %j : i32, i32
  } do {
  ^bb0(%i: i32, %j: i32):
    %next = arith.addi %i, %c1 : i32
    %double = arith.addi %j, %j : i32
    scf.yield %next, %double : i32, i32
  }
  tt.store %out, %f#0 : !tt.ptr<i32>
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
