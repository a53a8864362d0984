// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:5: error: 'hopper.sync' uses barrier 16; processes have 1 to 15 [hopper-barrier]
hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    hopper.sync 16 threads 128
  }
}

