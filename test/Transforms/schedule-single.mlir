// RUN: heddle-opt %s --sched-name-ops --sched-schedule --split-input-file --verify-diagnostics | FileCheck %s

// Warps follow the widest tile: up to 32 elements a thread with four of them.

// expected-remark @+1 {{@four stays one process, because it has no loop to pipeline}}
tile.kernel @four(%a: !tile.view<?xf32>, %i: index) {
  %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<4096xf32>
  tile.store %x, %a[%i] : tensor<4096xf32>, !tile.view<?xf32>
}
// CHECK: sched.plan @four
// CHECK-NEXT: sched.process "main" warps 4 registers 0

// -----

// expected-remark @+1 {{[not-specialised]}}
tile.kernel @eight(%a: !tile.view<?x?xf32>, %i: index) {
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf32> -> tensor<4x2048xf32>
  tile.store %x, %a[%i, %i] : tensor<4x2048xf32>, !tile.view<?x?xf32>
}
// CHECK: sched.plan @eight
// CHECK-NEXT: sched.process "main" warps 8 registers 0

// -----

// A row of 24 000 cannot be dealt to more than four warps evenly.
// expected-remark @+1 {{[not-specialised]}}
tile.kernel @indivisible(%a: !tile.view<?xf32>, %i: index) {
  %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<24192xf32>
  tile.store %x, %a[%i] : tensor<24192xf32>, !tile.view<?xf32>
}
// CHECK: sched.plan @indivisible
// CHECK-NEXT: sched.process "main" warps 4 registers 0

// -----

// Loops whose end the data decide have a table too.
// expected-remark @+1 {{[not-specialised]}}
tile.kernel @loop(%a: !tile.view<?xf32>, %i: index, %n: index) {
  %end = scf.while (%k = %i) : (index) -> index {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %x = tile.load %a[%k] : !tile.view<?xf32> -> tensor<65536xf32>
    tile.store %x, %a[%k] : tensor<65536xf32>, !tile.view<?xf32>
    %next = arith.addi %k, %i : index
    scf.yield %next : index
  }
}
// CHECK: sched.plan @loop
// CHECK-NEXT: sched.process "main" warps 16 registers 0
// CHECK-NEXT: sched.table "loop" ii 0
// CHECK-NEXT:   sched.entry "load_a"
// CHECK-NEXT:   sched.entry "store_a"
