// One end writes a slot of 2048 B and announces it, the other reads all of it: WRITES.
#half = #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 0, 0], reg = [0, 1], tile = [8, 16], rep = [1, 4]>
#full = #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [1, 4]>
!half = tensor<8x64xf16, #half>
!full = tensor<16x64xf16, #full>
!half_smem = !hopper.smem<8x64xf16, order = [1, 0], swizzle = 0>
!full_smem = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 0>
hopper.kernel @bytes(%n: index) source "bytes" threads 256 shared 2064 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 4 empty 2056 x 4
  hopper.process "load" warps 4 + 4 registers 0 {
    %f0 = arith.constant 0.0 : f16
    %half = tile.splat %f0 : f16 -> !half
    %low = hopper.slot "r"[%zero] at 0 : !half_smem
    %high = hopper.slot "r"[%zero] at 1024 : !half_smem
    %middle = hopper.slot "r"[%zero] at 512 : !half_smem
    hopper.wait "r" "empty"[%zero] phase %one
    WRITES
    hopper.arrive "r" "full"[%zero]
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %tile = hopper.slot "r"[%zero] at 0 : !full_smem
    hopper.wait "r" "full"[%zero] phase %zero
    %v = hopper.local_load %tile : !full_smem -> !full
    hopper.arrive "r" "empty"[%zero]
  }
}
