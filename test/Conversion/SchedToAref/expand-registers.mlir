// RUN: heddle-opt %s --sched-expand | FileCheck %s

// The second dot reads the first one's result from registers. Its own result is
// only accumulated onto, and by the table the next iteration's cast comes before the
// dot ends: but the cast would write registers that the dot still reads, so the wait
// stands in front of it.
// CHECK-LABEL: aref.process "mma"
// CHECK: scf.for
// CHECK:   %[[SUM:.*]] = aref.start "tensor"
// CHECK:     tile.dot {{.*}} {sched.op = "sum"}
// CHECK:   aref.start "tensor"
// CHECK:     tile.dot {{.*}} {sched.op = "dot"}
// CHECK:   aref.await %[[SUM]]
// CHECK:   tile.cast
// CHECK:   scf.yield
tile.kernel @k(%q: !tile.view<?x?xf16>, %a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>,
               %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %w = tile.load %q[%c0, %c0] {sched.op = "q"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
  %acc = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %w, %x, %zero {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %p = tile.cast %d {sched.op = "cast"} : tensor<64x64xf32> -> tensor<64x64xf16>
    %e = tile.dot %p, %y, %s {sched.op = "sum"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %e : tensor<64x64xf32>
  } {sched.loop = "k"}
  tile.store %acc, %c[%c0, %c0] {sched.op = "store"} : tensor<64x64xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "load" warps 4 registers 0
  sched.process "mma" warps 4 registers 0
  sched.ring "a" depth 4
  sched.ring "b" depth 6
  sched.table "k" ii 256 {
    sched.entry "a" on "tma" start 0 latency 500 in "load" via "a"
    sched.entry "b" on "tma" start 64 latency 500 in "load" via "b"
    sched.entry "dot" on "tensor" start 512 latency 128 in "mma"
    sched.entry "cast" on "alu" start 640 latency 32 in "mma"
    sched.entry "sum" on "tensor" start 672 latency 600 in "mma"
  }
  sched.table "" ii 0 {
    sched.entry "q" on "load" start 0 latency 0 in "mma"
    sched.entry "store" on "store" start 0 latency 0 in "mma"
  }
}
