// RUN: heddle-opt %s --sched-expand --split-input-file --verify-diagnostics
//
// A plan that names replicas which its processes are not.

// The second takes the absolute value where the first negates.
// expected-error@below {{process 'q' is no replica of 'p': a step of that is 'tile.store', and it has none like it there}}
tile.kernel @other(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.negf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = math.absf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @other {
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

// The same with more warps.
// expected-error@below {{process 'q' is no replica of 'p': it has 8 warps and 0 registers a thread, and that has 4 and 0; give both the same, or take its replica_of away}}
tile.kernel @warps(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.negf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.negf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @warps {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 8 registers 0 {replica_of = "p"}
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

// Of a process behind it, and of one that there is not.
// expected-error@below {{process 'p' is no replica of 'q': no process of that name stands in front of it}}
tile.kernel @behind(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.negf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.negf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @behind {
  sched.process "p" warps 4 registers 0 {replica_of = "q"}
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

// expected-error@below {{process 'q' is no replica of 'r': no process of that name stands in front of it}}
tile.kernel @name(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0] {sched.op = "x.0"} : !tile.view<?xf16> -> tensor<64xf16>
  %n = arith.negf %x {sched.op = "n.0"} : tensor<64xf16>
  tile.store %n, %c[%c0] {sched.op = "s.0"} : tensor<64xf16>, !tile.view<?xf16>
  %y = tile.load %a[%c64] {sched.op = "x.1"} : !tile.view<?xf16> -> tensor<64xf16>
  %z = arith.negf %y {sched.op = "n.1"} : tensor<64xf16>
  tile.store %z, %c[%c64] {sched.op = "s.1"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @name {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0 {replica_of = "r"}
  sched.table "" ii 0 {
    sched.entry "x.0" on "load" start 0 latency 0 in "p"
    sched.entry "n.0" on "alu" start 0 latency 0 in "p"
    sched.entry "s.0" on "store" start 0 latency 0 in "p"
    sched.entry "x.1" on "load" start 0 latency 0 in "q"
    sched.entry "n.1" on "alu" start 0 latency 0 in "q"
    sched.entry "s.1" on "store" start 0 latency 0 in "q"
  }
}
