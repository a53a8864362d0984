// 8 x depth wraps to 0 in 64 bits, and an end before a beginning is inside of
// everything.
// RUN: %expect 3 heddle check %s
// expect: 7:3: error: 'hopper.ring' 'r' has a depth, size or place of 2305843009213693952; a block has 232448 B of shared memory [hopper-ring]
// Anything may follow.
hopper.kernel @deep() source "k" threads 128 shared 64 tma [] {
  hopper.ring "r" depth 2305843009213693952 at 0 slot 16 full 0 x 1 empty 8 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
  }
}
