// Where TMA may find something else than threads put there last, nobody guards its store: another buffer of the same place, or another process that comes in between. A buffer beside it, and a barrier of the process's own, change nothing.
// RUN: heddle-opt %s --hopper-narrow-numbers -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#one = #hopper.layout<lane = [0, 0, 0, 0, 0], warp = [0, 0], reg = [], tile = [1], rep = [1]>
!rows = tensor<64x8xf32, #rows>
!view = !tile.view<?x?xf32>
!tile = !hopper.smem<64x8xf32, order = [1, 0], swizzle = 0>
hopper.kernel @changed(%places: !tile.view<?xi32>, %x: !view, %y: !view) source "changed" threads 256 shared 4096 tma [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %tile = hopper.buffer "b" at 0 : !tile
    %same = hopper.buffer "same" at 1024 : !tile
    %beside = hopper.buffer "beside" at 2048 : !tile
    %t = hopper.global_load %x[%c0, %c0] : !view -> !rows
    %u = hopper.global_load %x[%c0, %c8] : !view -> !rows
    %n = hopper.global_load %places[%c0] : !tile.view<?xi32> -> tensor<1xi32, #one>
    %m = tile.unsplat %n : tensor<1xi32, #one> -> i32
    %at = arith.index_cast %m : i32 to index
    hopper.local_store %t, %tile : !rows, !tile
    hopper.local_store %u, %beside : !rows, !tile
    hopper.fence_async
    hopper.sync 1 threads 128
// REMARK: [[@LINE+1]]:5: remark: {{.*}}: each store asks
    hopper.tma_store %tile to %y[%at, %c0] : !tile, !view
    hopper.tma_store_wait 0
    hopper.sync 1 threads 128
    hopper.local_store %t, %tile : !rows, !tile
    hopper.sync 1 threads 128
    hopper.local_store %u, %same : !rows, !tile
    hopper.fence_async
    hopper.sync 1 threads 128
// REMARK: [[@LINE+1]]:5: remark: {{.*}}: a launch in which it begins before it faults
    hopper.tma_store %tile to %y[%at, %c0] : !tile, !view
    hopper.tma_store_wait 0
    hopper.sync 1 threads 128
    hopper.local_store %t, %tile : !rows, !tile
    hopper.sync 2 threads 256
    hopper.sync 2 threads 256
    hopper.fence_async
    hopper.sync 1 threads 128
// REMARK: [[@LINE+1]]:5: remark: {{.*}}: a launch in which it begins before it faults
    hopper.tma_store %tile to %y[%at, %c0] : !tile, !view
    hopper.tma_store_wait 0
  }
  hopper.process "q" warps 4 + 4 registers 0 {
    %other = hopper.buffer "c" at 0 : !tile
    %v = hopper.global_load %x[%c8, %c0] : !view -> !rows
    hopper.sync 2 threads 256
    hopper.local_store %v, %other : !rows, !tile
    hopper.fence_async
    hopper.sync 2 threads 256
  }
}
// CHECK-COUNT-1: scf.if
// CHECK-NOT: scf.if
