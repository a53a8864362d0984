// Global memory is no part of the proof. Where accesses of two processes, or two stores by TMA of one, may meet, the proof
// says that it takes their order for granted, and nothing where their numbers show that they lie apart.
// RUN: sed 's/ROW/%c8/; s/WAIT//' %s > %t.mlir
// RUN: heddle check %t.mlir | FileCheck %s --check-prefixes=PROVED,THREADS,TMA
// RUN: sed 's/ROW/%c16/; s/WAIT/hopper.tma_store_wait 0 complete/' %s > %t.mlir
// RUN: heddle check %t.mlir | FileCheck %s --check-prefixes=PROVED,NOTHING
// RUN: sed 's/ROW/%c16/; s/WAIT/hopper.tma_store_wait 0/' %s > %t.mlir
// RUN: heddle check %t.mlir | FileCheck %s --check-prefixes=PROVED,TMA
// PROVED: @stored: proved for every trip count
// TMA: assumed: the order of accesses to global memory at {{.*}}:30:5 and at {{.*}}:32:5 does not show, or hangs on a value that is read
// THREADS: assumed: the order of accesses to global memory at {{.*}}:25:5 and at {{.*}}:37:5 does not show, or hangs on a value that is read
// NOTHING-NOT: assumed
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
!regs = tensor<16x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [1, 4]>>
hopper.kernel @stored(%y: !v, %z: !v) source "stored" threads 256 shared 2048 tma [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %f0 = arith.constant 0.0 : f16
  hopper.grid %c1
  hopper.process "one" warps 0 + 4 registers 0 {
    %t = tile.splat %f0 : f16 -> !regs
    hopper.global_store %t, %y[%c0, %c0] : !regs, !v
    %b = hopper.buffer "out" at 0 : !tile
    hopper.local_store %t, %b : !regs, !tile
    hopper.fence_async
    hopper.sync 1 threads 128
    hopper.tma_store %b to %z[%c0, %c0] : !tile, !v
    WAIT
    hopper.tma_store %b to %z[%c8, %c0] : !tile, !v
    hopper.tma_store_wait 0
  }
  hopper.process "other" warps 4 + 4 registers 0 {
    %t = tile.splat %f0 : f16 -> !regs
    hopper.global_store %t, %y[ROW, %c0] : !regs, !v
  }
}
