// As an edit of a saved rung may leave it: wgmma is to read rows of 16 bytes.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 11:10: error: operand b of a dot has rows of 16 bytes in shared memory; wgmma needs a multiple of 32: choose an extent of at least 16 elements along axis 1 [dot-operand]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x8xf32>
  %acc = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x8xf32>) {
    %x = tile.load %a[%c0, %i] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x8xf16>
    %d = tile.dot %x, %y, %s {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x8xf16> -> tensor<64x8xf32>
    scf.yield %d : tensor<64x8xf32>
  } {sched.loop = "k"}
  tile.store %acc, %c[%c0, %c0] {sched.op = "store"} : tensor<64x8xf32>, !tile.view<?x?xf32>
}
sched.plan @k {
  sched.process "load" warps 4 registers 0
  sched.process "mma" warps 4 registers 0
  sched.ring "ra" depth 4
  sched.ring "rb" depth 4
  sched.table "k" ii 512 {
    sched.entry "a" on "tma" start 0 latency 600 in "load" via "ra"
    sched.entry "b" on "tma" start 128 latency 600 in "load" via "rb"
    sched.entry "dot" on "tensor" start 1000 latency 200 in "mma"
  }
  sched.table "" ii 0 {
    sched.entry "store" on "store" start 0 latency 0 in "mma"
  }
}
