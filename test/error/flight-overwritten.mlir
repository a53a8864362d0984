// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 15:10: error: 'hopper.wgmma_wait' gives a value that is read, but a later hopper.wgmma already accumulates into these registers [flight-overwritten]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @read_overwritten() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    %g = hopper.wgmma %a, %b, %f : !flight : !a, !b -> !flight
    %d = hopper.wgmma_wait %f pending 1 : !flight -> !acc
    %e = arith.addf %d, %d : !acc
  }
}

