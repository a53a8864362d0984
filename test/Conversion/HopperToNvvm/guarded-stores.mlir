// A tile that TMA stores at a place that only the device knows: each store asks, and threads store what begins before the view; a group is committed either way. Where no value is at hand, a launch faults, and a remark says so.
// RUN: heddle-opt %s --hopper-narrow-numbers -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: heddle compile %s -o - 2>/dev/null | FileCheck %s --check-prefix=PTX
#rows = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#one = #hopper.layout<lane = [0, 0, 0, 0, 0], warp = [0, 0], reg = [], tile = [1], rep = [1]>
!rows = tensor<64x8xf32, #rows>
!view = !tile.view<?x?xf32>
!tile = !hopper.smem<64x8xf32, order = [1, 0], swizzle = 0>
hopper.kernel @guarded(%places: !tile.view<?xi32>, %x: !view, %y: !view) source "guarded" threads 128 shared 2048 tma [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %tile = hopper.buffer "b" at 0 : !tile
    %t = hopper.global_load %x[%c0, %c0] : !view -> !rows
    %n = hopper.global_load %places[%c0] : !tile.view<?xi32> -> tensor<1xi32, #one>
    %m = tile.unsplat %n : tensor<1xi32, #one> -> i32
    %at = arith.index_cast %m : i32 to index
    hopper.local_store %t, %tile : !rows, !tile
    hopper.fence_async
    hopper.sync 1 threads 128
// REMARK: [[@LINE+1]]:5: remark: TMA stores this tile, and nothing says that it begins in the view: each store asks, and threads store one that begins before it; bound the place
    hopper.tma_store %tile to %y[%at, %c0] : !tile, !view
    hopper.tma_store_wait 0
// REMARK: [[@LINE+1]]:5: remark: TMA stores this tile, and nothing says that it begins in the view: a launch in which it begins before it faults; bound the place
    hopper.tma_store %tile add to %y[%c0, %at] : !tile, !view
    hopper.tma_store_wait 0
// Places that are known not to be negative are left alone.
    hopper.tma_store %tile to %y[%c0, %c0] : !tile, !view
    hopper.tma_store_wait 0
  }
}
// CHECK: %[[ROW:.*]] = arith.cmpi slt, %[[AT:.*]], %{{.*}} : index
// CHECK: %[[COLUMN:.*]] = arith.cmpi slt, %[[C0:.*]], %{{.*}} : index
// CHECK: %[[BEFORE:.*]] = arith.ori %[[ROW]], %[[COLUMN]] : i1
// CHECK: scf.if %[[BEFORE]] {
// CHECK-NEXT: hopper.global_store %{{.*}}, %y[%[[AT]], %[[C0]]]
// CHECK-NEXT: }
// CHECK: hopper.tma_store %{{.*}} to %y[%[[AT]], %[[C0]]] {hopper.in_view_only}
// CHECK: hopper.tma_store %{{.*}} add to %y[%{{.*}}, %[[AT]]] :
// CHECK: hopper.tma_store %{{.*}} to %y[%{{.*}}, %{{.*}}] :
// PTX: setp.{{gt|ge}}.s32 %[[HERE:.*]], %{{.*}}, {{0|-1}};
// PTX: cp.async.bulk.tensor
// PTX: cp.async.bulk.commit_group
