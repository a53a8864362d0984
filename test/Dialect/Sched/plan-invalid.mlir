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
