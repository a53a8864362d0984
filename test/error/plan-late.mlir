// Only a store may wait for the next instance.
// RUN: %expect 3 heddle compile %s --emit=aref -o %t.mlir
// expect: 32:5: error: 'sched.entry' is late, but 'cast' is no store behind a pipelined loop in the loop over instances [plan-late]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %w = tile.worker_id : index
  %ws = tile.worker_count : index
  scf.for %i = %w to %n step %ws {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %j] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %x, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {sched.loop = "loop"}
    %o = tile.cast %acc {sched.op = "cast"} : tensor<64x64xf32> -> tensor<64x64xf16>
    tile.store %o, %c[%row, %c0] {sched.op = "store"} : tensor<64x64xf16>, !tile.view<?x?xf16>
  } {sched.loop = "tiles"}
}
sched.plan @k {
  sched.process "load" warps 4 registers 40
  sched.process "mma" warps 4 registers 232
  sched.ring "r" depth 3
  sched.table "loop" ii 128 {
    sched.entry "a" on "tma" start 0 latency 800 in "load" via "r"
    sched.entry "dot" on "tensor" start 900 latency 200 in "mma"
  }
  sched.table "tiles" ii 0 {
    sched.entry "store" on "store" start 0 latency 0 in "mma" late
    sched.entry "cast" on "alu" start 0 latency 0 in "mma" late
  }
}
