// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 16:5: error: 'hopper.arrive' releases a slot of 'r', which a hopper.wgmma reads, without naming the value of the wait that retires it [early-release]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @early_release() source "k" threads 128 shared 16400 tma [] {
  %i0 = arith.constant 0 : i32
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    %b = hopper.slot "r"[%i0] at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    hopper.arrive "r" "empty"[%i0]
  }
}

