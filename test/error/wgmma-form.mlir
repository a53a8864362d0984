// A product of 32 rows.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 12:10: error: 'hopper.wgmma' 32x64 times 64x64 is not 64x64 [wgmma-form]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<32x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
hopper.kernel @k() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<!acc>
  }
}
