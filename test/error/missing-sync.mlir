// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 18:7: error: 'hopper.local_store' writes shared memory at 0, which a hopper.tma_store may still read; put hopper.tma_store_wait and then hopper.sync before it [missing-sync]
// Only the loop's second turn overwrites what TMA still reads.
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!c = !tile.view<?x?xf16>
hopper.kernel @overwrites_store(%c: !c, %n: index) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    scf.for %i = %c0 to %n step %c1 {
      hopper.tma_store_wait 1
      hopper.sync 1 threads 128
      hopper.local_store %t, %a : !t, !a
      hopper.fence_async
      hopper.sync 1 threads 128
      hopper.tma_store %a to %c[%c0, %c0] : !a, !c
    }
  }
}

