// RUN: heddle-opt %s --sched-expand | FileCheck %s

// No specialisation: one process sends to itself through a ring, three
// iterations ahead. Trip counts 0, 1 and 2 have code of their own.

// CHECK: aref.process "main" warps 4 registers 0
// CHECK-NOT: aref.process
// CHECK: scf.if
// CHECK-COUNT-3: aref.publish
// CHECK: scf.for
// CHECK:   aref.acquire
// CHECK:   aref.get
// CHECK:   aref.start
// CHECK:   aref.publish
// CHECK:   aref.await {{.*}} pending 0
// CHECK:   aref.release
// CHECK: }
// CHECK-COUNT-3: aref.release
// CHECK: else
// CHECK: arith.cmpi eq
// CHECK: arith.cmpi eq
// CHECK-NOT: scf.for
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %acc = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {sched.loop = "k"}
  tile.store %acc, %c[%c0, %c0] {sched.op = "store"} : tensor<64x64xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
  sched.ring "ab" depth 4
  sched.table "k" ii 256 {
    sched.entry "a" on "tma" start 0 latency 500 in "main" via "ab"
    sched.entry "b" on "tma" start 64 latency 500 in "main" via "ab"
    sched.entry "dot" on "tensor" start 800 latency 150 in "main"
  }
  sched.table "" ii 0 {
    sched.entry "store" on "store" start 0 latency 0 in "main"
  }
}
