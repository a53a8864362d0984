// RUN: heddle-opt %s --sched-expand | FileCheck %s --check-prefixes=LOOP,SAME
// RUN: sed 's/ii 256/& ahead/' %s | heddle-opt --sched-expand | FileCheck %s --check-prefixes=LOOP,AHEAD

// The next dot is issued in front of the sum, whose operand the cast makes in front of
// both. A step begins with the cast, so that it makes what it reads, unless the table
// prepares operands ahead: then no arithmetic is between a step's begin and its issue.
// LOOP-LABEL: aref.process "mma"
// LOOP: scf.for
// SAME: tile.cast
// LOOP: tile.dot {{.*}} {sched.op = "dot"}
// LOOP: tile.dot {{.*}} {sched.op = "sum"}
// AHEAD: tile.cast
// LOOP: scf.yield
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
    %n = math.exp2 %d {sched.op = "exp"} : tensor<64x64xf32>
    %p = tile.cast %n {sched.op = "cast"} : tensor<64x64xf32> -> tensor<64x64xf16>
    %t = arith.addf %s, %n {sched.op = "scale"} : tensor<64x64xf32>
    %e = tile.dot %p, %y, %t {sched.op = "sum"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
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
    sched.entry "exp" on "special" start 650 latency 32 in "mma"
    sched.entry "scale" on "alu" start 726 latency 8 in "mma"
    sched.entry "cast" on "alu" start 740 latency 32 in "mma"
    sched.entry "sum" on "tensor" start 780 latency 200 in "mma"
  }
  sched.table "" ii 0 {
    sched.entry "q" on "load" start 0 latency 0 in "mma"
    sched.entry "store" on "store" start 0 latency 0 in "mma"
  }
}
