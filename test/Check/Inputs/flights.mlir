// One process multiplies, and puts what it gets into registers: BODY.
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#rows = #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [4, 4]>
#left = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0, 0, 8], tile = [64, 16], rep = [1, 4]>
!left = tensor<64x64xf16, #left>
!acc = tensor<64x64xf32, #acc>
!half = tensor<64x64xf16, #rows>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @flights(%n: index, %out: !tile.view<?x?xf32>) source "flights" threads 128 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.cmpi sgt, %n, %c1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %f0 = arith.constant 0.0 : f16
    %zeros = tile.splat %f0 : f16 -> !half
    hopper.local_store %zeros, %a : !half, !a
    hopper.fence_async
    hopper.sync 1 threads 128
    BODY
  }
}
