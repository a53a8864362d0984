// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:5: error: 'hopper.sync' needs all threads of process 'a', which runs on one elected thread [hopper-move]
hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 elected {
    hopper.sync 1 threads 128
  }
}

