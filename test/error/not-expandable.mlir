// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 11:10: error: cannot expand the schedule of process 'mma': it holds 2 slots of ring 'r' at once, which has depth 1 [not-expandable]
// Two slots are in use at once: the dot of the next iteration is out before
// this one's slot goes back.
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
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
