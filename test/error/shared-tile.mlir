// The swizzles of the machine are 0, 32, 64 and 128 bytes.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:18: error: swizzle is 0, 32, 64 or 128 bytes, not 48 [shared-tile]
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 48>
hopper.kernel @k() source "k" threads 128 shared 8192 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
  }
}
