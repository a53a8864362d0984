// RUN: heddle-opt %s --sched-find-replicas --split-input-file | FileCheck %s --implicit-check-not=replica_of
//
// Processes that are none.

// The second stores what it has negated.
// CHECK-LABEL: sched.plan @other
tile.kernel @other(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = math.absf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.negf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @other {
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

// -----

// They do the same with other numbers that are no places: each adds its own.
// CHECK-LABEL: sched.plan @factor
tile.kernel @factor(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant dense<1.0> : tensor<64xf16>
  %two = arith.constant dense<2.0> : tensor<64xf16>
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.addf %x, %one {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.addf %y, %two {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @factor {
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

// -----

// Other views are other parameters, not other numbers.
// CHECK-LABEL: sched.plan @views
tile.kernel @views(%a: !tile.view<?xf16>, %b: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  tile.store %x, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %b[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  tile.store %y, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @views {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0
  sched.table "" ii 0 {
    sched.entry "x.0" on "load" start 0 latency 0 in "p"
    sched.entry "s.0" on "store" start 0 latency 0 in "p"
    sched.entry "x.1" on "load" start 0 latency 0 in "q"
    sched.entry "s.1" on "store" start 0 latency 0 in "q"
  }
}

// -----

// The same with other warps, or with other registers.
// CHECK-LABEL: sched.plan @warps
tile.kernel @warps(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  tile.store %x, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  tile.store %y, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @warps {
  sched.process "p" warps 8 registers 0
  sched.process "q" warps 4 registers 0
  sched.table "" ii 0 {
    sched.entry "x.0" on "load" start 0 latency 0 in "p"
    sched.entry "s.0" on "store" start 0 latency 0 in "p"
    sched.entry "x.1" on "load" start 0 latency 0 in "q"
    sched.entry "s.1" on "store" start 0 latency 0 in "q"
  }
}

// -----

// Their places are further apart than a number of 32 bits says.
// CHECK-LABEL: sched.plan @far
tile.kernel @far(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %far = arith.constant 4294967296 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  tile.store %x, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%far] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  tile.store %y, %c[%far] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @far {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0
  sched.table "" ii 0 {
    sched.entry "x.0" on "load" start 0 latency 0 in "p"
    sched.entry "s.0" on "store" start 0 latency 0 in "p"
    sched.entry "x.1" on "load" start 0 latency 0 in "q"
    sched.entry "s.1" on "store" start 0 latency 0 in "q"
  }
}
