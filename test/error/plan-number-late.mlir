// The same of an entry, whether its table overlaps iterations or not.
// RUN: %expect 3 heddle compile %s --emit=aref -o %t.mlir
// expect: 29:5: error: 'sched.entry' starts or ends after 9223372036854775807 cycles; a table takes at most 33554432 [plan-number]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r1 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %end:2 = scf.for %i = %c0 to %k step %c64 iter_args(%o0 = %zero, %o1 = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] {sched.op = "x"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %s0 = tile.dot %x, %x, %zero {sched.op = "s.0"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %p0 = tile.cast %s0 {sched.op = "p.0"} : tensor<64x64xf32> -> tensor<64x64xf16>
    %n0 = tile.dot %p0, %x, %o0 {sched.op = "o.0"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %s1 = tile.dot %x, %x, %zero {sched.op = "s.1"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %p1 = tile.cast %s1 {sched.op = "p.1"} : tensor<64x64xf32> -> tensor<64x64xf16>
    %n1 = tile.dot %p1, %x, %o1 {sched.op = "o.1"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %n0, %n1 : tensor<64x64xf32>, tensor<64x64xf32>
  } {sched.loop = "loop"}
  tile.store %end#0, %c[%c0, %c0] {sched.op = "store.0"} : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %end#1, %c[%r1, %c0] {sched.op = "store.1"} : tensor<64x64xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "load" warps 4 registers 40
  sched.process "mma.0" warps 4 registers 152
  sched.process "mma.1" warps 4 registers 152
  sched.ring "x" depth 4
  sched.table "loop" ii 0 {
    sched.entry "x" on "tma" start 0 latency 9223372036854775807 in "load" via "x"
    sched.entry "s.0" on "tensor" start 700 latency 100 in "mma.0"
    sched.entry "p.0" on "alu" start 900 latency 40 in "mma.0"
    sched.entry "o.0" on "tensor" start 1160 latency 100 in "mma.0"
    sched.entry "s.1" on "tensor" start 900 latency 100 in "mma.1"
    sched.entry "p.1" on "alu" start 1100 latency 40 in "mma.1"
    sched.entry "o.1" on "tensor" start 1360 latency 100 in "mma.1"
  }
  sched.table "" ii 0 {
    sched.entry "store.0" on "store" start 0 latency 0 in "mma.0"
    sched.entry "store.1" on "store" start 0 latency 0 in "mma.1"
  }
}
