// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: 'hopper.sync' stands outside of the kernel's processes, where nothing executes it; move it into one [hopper-outside]
hopper.kernel @k(%n: index) source "k" threads 128 shared 0 tma [] {
  hopper.sync 1 threads 128
  hopper.process "a" warps 0 + 4 registers 0 {
  }
}
