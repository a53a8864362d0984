// RUN: heddle-opt %s --sched-find-replicas --split-input-file | FileCheck %s --implicit-check-not=replica_of
// RUN: heddle-opt %s --sched-find-replicas --sched-expand --split-input-file | FileCheck %s --check-prefix=AREF
//
// Processes that do the same in the same order are replicas, whatever their rows, rings
// and cycles.

// CHECK-LABEL: sched.plan @k
// CHECK: sched.process "load" warps 4 registers 40
// CHECK-NEXT: sched.process "mma.0" warps 4 registers 152
// CHECK-NEXT: sched.process "mma.1" warps 4 registers 152 {replica_of = "mma.0"}
// CHECK-NEXT: sched.process "mma.2" warps 4 registers 152 {replica_of = "mma.0"}
// AREF: aref.process "mma.0" warps 4 registers 152 {
// AREF: aref.process "mma.1" warps 4 registers 152 attributes {replica_of = "mma.0"} {
// AREF: aref.process "mma.2" warps 4 registers 152 attributes {replica_of = "mma.0"} {
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r1 = arith.constant 64 : index
  %r2 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %end:3 = scf.for %i = %c0 to %k step %c64 iter_args(%o0 = %zero, %o1 = %zero, %o2 = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %x0 = tile.load %a[%c0, %i] {sched.op = "x.0"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %x1 = tile.load %a[%r1, %i] {sched.op = "x.1"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %x2 = tile.load %a[%r2, %i] {sched.op = "x.2"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %a[%i, %c0] {sched.op = "y"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %n0 = tile.dot %x0, %y, %o0 {sched.op = "o.0"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %n1 = tile.dot %x1, %y, %o1 {sched.op = "o.1"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %n2 = tile.dot %x2, %y, %o2 {sched.op = "o.2"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %n0, %n1, %n2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  } {sched.loop = "loop"}
  tile.store %end#0, %c[%c0, %c0] {sched.op = "store.0"} : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %end#1, %c[%r1, %c0] {sched.op = "store.1"} : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %end#2, %c[%r2, %c0] {sched.op = "store.2"} : tensor<64x64xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "load" warps 4 registers 40
  sched.process "mma.0" warps 4 registers 152
  sched.process "mma.1" warps 4 registers 152
  sched.process "mma.2" warps 4 registers 152
  sched.ring "x.0" depth 4
  sched.ring "x.1" depth 4
  sched.ring "x.2" depth 4
  sched.ring "y" depth 4
  sched.table "loop" ii 400 {
    sched.entry "x.0" on "tma" start 0 latency 500 in "load" via "x.0"
    sched.entry "x.1" on "tma" start 20 latency 500 in "load" via "x.1"
    sched.entry "x.2" on "tma" start 40 latency 500 in "load" via "x.2"
    sched.entry "y" on "tma" start 60 latency 500 in "load" via "y"
    sched.entry "o.0" on "tensor" start 700 latency 100 in "mma.0"
    sched.entry "o.1" on "tensor" start 850 latency 100 in "mma.1"
    sched.entry "o.2" on "tensor" start 980 latency 100 in "mma.2"
  }
  sched.table "" ii 0 {
    sched.entry "store.0" on "store" start 0 latency 0 in "mma.0"
    sched.entry "store.1" on "store" start 0 latency 0 in "mma.1"
    sched.entry "store.2" on "store" start 0 latency 0 in "mma.2"
  }
}
