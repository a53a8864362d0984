// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:3: error: 'hopper.process' 'b' shares warp 3 with 'a' [hopper-process]
hopper.kernel @k(%n: index) source "k" threads 256 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
  }
  hopper.process "b" warps 3 + 4 registers 0 {
  }
}

