// RUN: heddle-opt %s --sched-expand --split-input-file --verify-diagnostics | FileCheck %s

// What one process runs in program order is taken as it is: loops with scalar
// results, loops whose end the data decide, branches.

// CHECK-LABEL: tile.kernel @whole
// CHECK: aref.process "main" warps 4 registers 0
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} -> (tensor<128xf32>, i32)
// CHECK: %[[GROWN:.*]]:2 = scf.while (%{{.*}} = %[[SUMS]]#0, %{{.*}} = %[[SUMS]]#1) : (tensor<128xf32>, i32) -> (tensor<128xf32>, i32)
// CHECK: %[[CHOSEN:.*]] = scf.if %{{.*}} -> (tensor<128xf32>)
// CHECK: tile.store %[[CHOSEN]], %a
tile.kernel @whole(%a: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %most = arith.constant 9 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128xf32>
  %sums:2 = scf.for %i = %c0 to %n step %c128 iter_args(%s = %zero, %c = %one) -> (tensor<128xf32>, i32) {
    %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf32> -> tensor<128xf32>
    %t = arith.addf %s, %x {sched.op = "t"} : tensor<128xf32>
    %d = arith.addi %c, %one : i32
    scf.yield %t, %d : tensor<128xf32>, i32
  } {sched.loop = "sum"}
  %grown:2 = scf.while (%s = %sums#0, %c = %sums#1) : (tensor<128xf32>, i32) -> (tensor<128xf32>, i32) {
    %more = arith.cmpi slt, %c, %most : i32
    scf.condition(%more) %s, %c : tensor<128xf32>, i32
  } do {
  ^bb0(%s: tensor<128xf32>, %c: i32):
    %t = arith.addf %s, %s {sched.op = "double"} : tensor<128xf32>
    %d = arith.addi %c, %one : i32
    scf.yield %t, %d : tensor<128xf32>, i32
  } attributes {sched.loop = "grow"}
  %even = arith.cmpi eq, %grown#1, %most : i32
  %chosen = scf.if %even -> (tensor<128xf32>) {
    scf.yield %grown#0 : tensor<128xf32>
  } else {
    %t = arith.negf %grown#0 : tensor<128xf32>
    scf.yield %t : tensor<128xf32>
  } {sched.op = "choose"}
  tile.store %chosen, %a[%c0] {sched.op = "store"} : tensor<128xf32>, !tile.view<?xf32>
}
sched.plan @whole {
  sched.process "main" warps 4 registers 0
  sched.table "sum" ii 0 {
    sched.entry "x" on "load" start 0 latency 0 in "main"
    sched.entry "t" on "alu" start 0 latency 0 in "main"
  }
  sched.table "grow" ii 0 {
    sched.entry "double" on "alu" start 0 latency 0 in "main"
  }
  sched.table "" ii 0 {
    sched.entry "choose" on "alu" start 0 latency 0 in "main"
    sched.entry "store" on "store" start 0 latency 0 in "main"
  }
}

// -----

// A loop of two processes has to be one that can be taken apart.
tile.kernel @shared_while(%a: !tile.view<?xf32>, %b: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{cannot expand the schedule of process 'first': 'scf.while' holds work of several processes; only scf.for and scf.if can be shared}}
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf32> -> tensor<128xf32>
    tile.store %x, %b[%i] {sched.op = "y"} : tensor<128xf32>, !tile.view<?xf32>
    %next = arith.addi %i, %c128 : index
    scf.yield %next : index
  } attributes {sched.loop = "w"}
}
sched.plan @shared_while {
  sched.process "first" warps 4 registers 0
  sched.process "second" warps 4 registers 0
  sched.ring "r" depth 2
  sched.table "w" ii 0 {
    sched.entry "x" on "load" start 0 latency 0 in "first" via "r"
    sched.entry "y" on "store" start 0 latency 0 in "second"
  }
}
