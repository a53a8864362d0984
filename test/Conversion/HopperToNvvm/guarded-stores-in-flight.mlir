// RUN: heddle-opt %s --hopper-narrow-numbers 2>&1 | FileCheck %s
// A product is under way while TMA stores: a branch there would move its registers, so threads' stores are predicated there.
#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#one = #hopper.layout<lane = [0, 0, 0, 0, 0], warp = [0, 0], reg = [], tile = [1], rep = [1]>
!acc = tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!rows = tensor<64x8xf32, #rows>
!view = !tile.view<?x?xf32>
!tile = !hopper.smem<64x8xf32, order = [1, 0], swizzle = 0>
!half = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @in_flight(%places: !tile.view<?xi32>, %x: !view, %y: !view, %z: !view) source "k" threads 128 shared 18432 tma [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !half
    %b = hopper.buffer "c" at 8192 : !half
    %tile = hopper.buffer "b" at 16384 : !tile
    %t = hopper.global_load %x[%c0, %c0] : !view -> !rows
    %n = hopper.global_load %places[%c0] : !tile.view<?xi32> -> tensor<1xi32, #one>
    %m = tile.unsplat %n : tensor<1xi32, #one> -> i32
    %at = arith.index_cast %m : i32 to index
    %f = hopper.wgmma %a, %b : !half, !half -> !hopper.flight<!acc>
    hopper.local_store %t, %tile : !rows, !tile
    hopper.fence_async
    hopper.sync 1 threads 128
// CHECK: [[@LINE+1]]:5: remark: TMA stores this tile, and nothing says that it begins in the view: each store asks
    hopper.tma_store %tile to %y[%at, %c0] : !tile, !view
    hopper.tma_store_wait 0
    %v = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    hopper.global_store %v, %z[%c0, %c0] : !acc, !view
// CHECK: [[@LINE+1]]:5: remark: TMA stores this tile, and nothing says that it begins in the view: each store asks
    hopper.tma_store %tile to %y[%at, %c0] : !tile, !view
    hopper.tma_store_wait 0
  }
}
// CHECK: hopper.wgmma
// CHECK-NOT: scf.if
// CHECK: hopper.global_store %{{.*}}, %y[%{{.*}}, %{{.*}}] if %{{.*}} :
// CHECK-NOT: scf.if
// CHECK: hopper.wgmma_wait
// CHECK: scf.if
