// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 15:5: error: 'hopper.tma_store' reads shared memory at 0 through the async proxy, but the threads that wrote it have no fence since; put hopper.fence_async and then hopper.sync before it [missing-fence]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!c = !tile.view<?x?xf16>
hopper.kernel @no_fence(%c: !c) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    hopper.local_store %t, %a : !t, !a
    hopper.sync 1 threads 128
    hopper.tma_store %a to %c[%c0, %c0] : !a, !c
  }
}

