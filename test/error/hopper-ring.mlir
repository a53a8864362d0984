// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: 'hopper.ring' 'r' has its slots at 0 to 8192, outside the kernel's 4096 B of shared memory [hopper-ring]
hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.ring "r" depth 4 at 0 slot 2048 full 4000 x 1 empty 4032 x 1
}

