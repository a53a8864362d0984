// 2^32 x 2^32 elements have 0 bytes in 64 bits.
// RUN: %expect 3 heddle check %s
// expect: 6:40: error: a shared tile has at most 1048576 elements of 8 bytes, not more than 9223372036854775806 of 'f16' [shared-tile]
hopper.kernel @huge() source "k" threads 128 shared 64 tma [] {
  // The type alone is refused.
  hopper.buffer "b" at 0 : !hopper.smem<4294967296x4294967296xf16, order = [1, 0], swizzle = 0>
  hopper.process "p" warps 0 + 4 registers 0 {
  }
}
