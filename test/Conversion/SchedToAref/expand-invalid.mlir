// RUN: heddle-opt %s --sched-expand --verify-diagnostics --split-input-file

tile.kernel @k(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>, %i: index) {
  %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
  // expected-error@below {{'y' in process 'q' reads a tile that process 'p' owns; give the op that makes it a ring, or place both in one process}}
  tile.store %x, %c[%i] {sched.op = "y"} : tensor<64xf16>, !tile.view<?xf16>
}
sched.plan @k {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0
  sched.table "" ii 0 {
    sched.entry "x" on "load" start 0 latency 0 in "p"
    sched.entry "y" on "store" start 0 latency 0 in "q"
  }
}

// -----

// expected-error@below {{@k has no sched.plan; run sched-schedule first}}
tile.kernel @k(%i: index) {
}

// -----

tile.kernel @k(%i: index) {
}
// expected-error@below {{ring 'r' carries nothing; remove it from the plan}}
sched.plan @k {
  sched.ring "r" depth 1
}

// -----

// Two slots are in use at once: the dot of the next iteration is out before
// this one's slot goes back.
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  // expected-error@below {{it holds 2 slots of ring 'r' at once, which has depth 1}}
  %acc = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %x, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {sched.loop = "k"}
  tile.store %acc, %c[%c0, %c0] {sched.op = "store"} : tensor<64x64xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "load" warps 4 registers 0
  sched.process "mma" warps 4 registers 0
  sched.ring "r" depth 1
  sched.table "k" ii 128 {
    sched.entry "a" on "tma" start 0 latency 500 in "load" via "r"
    sched.entry "dot" on "tensor" start 700 latency 192 in "mma"
  }
  sched.table "" ii 0 {
    sched.entry "store" on "store" start 0 latency 0 in "mma"
  }
}

// -----

// A tile that is handed on twice is one value with two beginnings; a process that has the whole loop may do so.
tile.kernel @k(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>, %first: f16, %second: f16, %n: index) {
  %p = tile.splat %first : f16 -> tensor<64xf16>
  %q = tile.splat %second : f16 -> tensor<64xf16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{this loop hands on a tile, its value 2 of 2, that its body does not make, or that it hands on twice; compute it in the loop, or let one process have the whole loop}}
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %p, %t = %q) -> (tensor<64xf16>, tensor<64xf16>) {
    %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
    %y = arith.addf %x, %s {sched.op = "y"} : tensor<64xf16>
    tile.store %t, %c[%i] {sched.op = "z"} : tensor<64xf16>, !tile.view<?xf16>
    scf.yield %y, %y : tensor<64xf16>, tensor<64xf16>
  } {sched.loop = "loop"}
}
sched.plan @k {
  sched.process "p" warps 4 registers 0
  sched.process "q" warps 4 registers 0
  sched.ring "r" depth 2
  sched.table "loop" ii 100 {
    sched.entry "x" on "load" start 0 latency 100 in "p" via "r"
    sched.entry "y" on "alu" start 100 latency 10 in "q"
    sched.entry "z" on "store" start 120 latency 10 in "q"
  }
}
