// RUN: heddle-opt %s --sched-find-replicas --split-input-file | FileCheck %s
// RUN: heddle-opt %s --sched-expand --split-input-file | FileCheck %s --check-prefix=AREF
//
// What a plan says of replicas stays, and processes have it on the next rung. Saying it is
// not finding it: where the plan is silent, the expander is, too.

// CHECK-LABEL: sched.plan @said
// CHECK: sched.process "q" warps 4 registers 0 {replica_of = "p"}
// AREF-LABEL: tile.kernel @said
// AREF: aref.process "q" warps 4 registers 0 attributes {replica_of = "p"}
tile.kernel @said(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.negf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.negf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @said {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0 {replica_of = "p"}
  sched.table "" ii 0 {
    sched.entry "x.0" on "load" start 0 latency 0 in "p"
    sched.entry "n.0" on "alu" start 0 latency 0 in "p"
    sched.entry "s.0" on "store" start 0 latency 0 in "p"
    sched.entry "x.1" on "load" start 0 latency 0 in "q"
    sched.entry "n.1" on "alu" start 0 latency 0 in "q"
    sched.entry "s.1" on "store" start 0 latency 0 in "q"
  }
}

// -----

// CHECK-LABEL: sched.plan @silent
// CHECK: sched.process "q" warps 4 registers 0 {replica_of = "p"}
// AREF-LABEL: tile.kernel @silent
// AREF-NOT: replica_of
tile.kernel @silent(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.negf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.negf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @silent {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0
  sched.table "" ii 0 {
    sched.entry "x.0" on "load" start 0 latency 0 in "p"
    sched.entry "n.0" on "alu" start 0 latency 0 in "p"
    sched.entry "s.0" on "store" start 0 latency 0 in "p"
    sched.entry "x.1" on "load" start 0 latency 0 in "q"
    sched.entry "n.1" on "alu" start 0 latency 0 in "q"
    sched.entry "s.1" on "store" start 0 latency 0 in "q"
  }
}
