// Two products of one loop, stored to one place, with a plan by hand that gives each a process: nothing would say
// which of the two tiles stays.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 23:5: error: process 'q' writes here where process 'p' may have written another tile, and their order shows; place both in one process, or make two kernels of it [memory-order]
// expect: 22:5: note: here
tile.kernel @k(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %z: !tile.view<?x?xf16>, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %first = tile.worker_id : index
  %step = tile.worker_count : index
  scf.for %i = %first to %count step %step {
    %zero = tile.splat %f0 : f32 -> tensor<64x128xf32>
    %sums:2 = scf.for %c = %c0 to %k step %c32 iter_args(%s = %zero, %t = %zero) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
      %a = tile.load %x[%i, %c] {sched.op = "a"} : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %b = tile.load %z[%i, %c] {sched.op = "b"} : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %v = tile.load %w[%c, %c0] {sched.op = "v"} : !tile.view<?x?xf16> -> tensor<32x128xf16>
      %d = tile.dot %a, %v, %s {sched.op = "d"} : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
      %e = tile.dot %b, %v, %t {sched.op = "e"} : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
      scf.yield %d, %e : tensor<64x128xf32>, tensor<64x128xf32>
    } {sched.loop = "loop"}
    tile.store %sums#0, %y[%i, %c0] {sched.op = "one"} : tensor<64x128xf32>, !tile.view<?x?xf32>
    tile.store %sums#1, %y[%i, %c0] {sched.op = "other"} : tensor<64x128xf32>, !tile.view<?x?xf32>
  } {sched.loop = "tiles"}
}
sched.plan @k attributes {sched.machine = "h200"} {
  sched.process "load" warps 4 registers 24
  sched.process "p" warps 4 registers 240
  sched.process "q" warps 4 registers 240
  sched.ring "left" depth 4
  sched.ring "right" depth 4
  sched.table "loop" ii 256 {
    sched.entry "a" on "tma" start 128 latency 537 in "load" via "left"
    sched.entry "b" on "tma" start 192 latency 537 in "load" via "right"
    sched.entry "v" on "tma" start 0 latency 601 in "load" via "left"
    sched.entry "d" on "tensor" start 769 latency 323 in "p"
    sched.entry "e" on "tensor" start 897 latency 323 in "q"
  }
  sched.table "tiles" ii 0 {
    sched.entry "one" on "store" start 0 latency 0 in "p"
    sched.entry "other" on "store" start 0 latency 0 in "q"
  }
}
