// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:3: error: 'y' in process 'q' reads a tile that process 'p' owns; give the op that makes it a ring, or place both in one process [ring-needed]
tile.kernel @k(%a: !tile.view<?xf16>, %c: !tile.view<?xf16>, %i: index) {
  %x = tile.load %a[%i] {sched.op = "x"} : !tile.view<?xf16> -> tensor<64xf16>
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

