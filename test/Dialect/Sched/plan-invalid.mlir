// RUN: heddle-opt %s --verify-diagnostics --split-input-file

tile.kernel @k(%a: !tile.view<?xf16>, %i: index) {
  // expected-error@below {{op 'x' has no entry in the plan of @k}}
  %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
}

// -----

tile.kernel @k(%a: !tile.view<?xf16>, %i: index) {
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
  sched.table "" ii 0 {
    // expected-error@below {{schedules 'x', which is no op of @k}}
    sched.entry "x" on "load" start 0 latency 0 in "main"
  }
}

// -----

tile.kernel @k(%a: !tile.view<?xf16>, %i: index) {
  %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
}
sched.plan @k {
  sched.table "" ii 0 {
    // expected-error@below {{places 'x' in the undeclared process 'main'}}
    sched.entry "x" on "load" start 0 latency 0 in "main"
  }
}

// -----

tile.kernel @k(%a: !tile.view<?xf16>, %i: index) {
  %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
  sched.table "" ii 0 {
    // expected-error@below {{sends 'x' through the undeclared ring 'r'}}
    sched.entry "x" on "load" start 0 latency 0 in "main" via "r"
  }
}

// -----

tile.kernel @k(%i: index) {
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
  // expected-error@below {{declares process 'main' twice}}
  sched.process "main" warps 4 registers 0
}

// -----

tile.kernel @k(%i: index) {
}
sched.plan @k {
  // expected-error@below {{has depth 0; a ring needs 1 to 65536 slots}}
  sched.ring "r" depth 0
}

// -----

// expected-error@below {{schedules the unknown kernel @other}}
sched.plan @other {
}

// -----

tile.kernel @k(%a: !tile.view<?xf16>, %i: index) {
  %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
  sched.table "" ii 128 {
    // expected-error@below {{takes 'x' 33 initiation intervals further; a table overlaps at most 32}}
    sched.entry "x" on "load" start 2048 latency 2176 in "main"
  }
}

// -----

tile.kernel @k(%a: !tile.view<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
  } {sched.loop = "k"}
}
sched.plan @k {
  sched.process "main" warps 4 registers 0
  sched.table "k" ii 128 {
    // expected-error@below {{gives 'x' no latency, but unit 'tensor' is asynchronous: at least 1 cycle}}
    sched.entry "x" on "tensor" start 0 latency 0 in "main"
  }
}

// -----

// The store is in front of the pipelined loop.
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %w = tile.worker_id : index
  %ws = tile.worker_count : index
  scf.for %i = %w to %n step %ws {
    tile.store %zero, %c[%i, %c0] {sched.op = "st"} : tensor<64x64xf32>, !tile.view<?x?xf32>
    %acc = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %k] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %x, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {sched.loop = "loop"}
  } {sched.loop = "tiles"}
}
sched.plan @k {
  sched.process "load" warps 4 registers 40
  sched.process "mma" warps 4 registers 232
  sched.ring "r" depth 2
  sched.table "tiles" ii 0 {
    // expected-error@below {{is late, but 'st' is no store behind a pipelined loop in the loop over instances}}
    sched.entry "st" on "store" start 0 latency 0 in "mma" late
  }
  sched.table "loop" ii 128 {
    sched.entry "a" on "tma" start 0 latency 800 in "load" via "r"
    sched.entry "dot" on "tensor" start 900 latency 200 in "mma"
  }
}
