// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle check %s | FileCheck %s --check-prefix=PROVED

// PROVED: @exchange: proved for every trip count
// CHECK-LABEL: hopper.kernel @exchange
// CHECK: hopper.cluster 2
// CHECK: hopper.cluster_sync
// CHECK-NEXT: %[[THERE:.*]] = hopper.cluster_tile %{{.*}} from 0 :
// CHECK-NEXT: %[[A:.*]] = hopper.local_load %[[THERE]]
// CHECK-NEXT: %[[OTHER:.*]] = hopper.cluster_tile %{{.*}} from 1 :
// CHECK-NEXT: %[[B:.*]] = hopper.local_load %[[OTHER]]
// CHECK-NEXT: hopper.cluster_sync
// CHECK: arith.addf %[[A]], %[[B]]
// CHECK: hopper.cluster_rank
!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @exchange(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 0 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    %b_there = hopper.cluster_tile %own from 1 : !row -> !row
    %b = hopper.local_load %b_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
    %sum = arith.addf %a, %b : tensor<128xf32, #row>
    %rank = hopper.cluster_rank
    %c128 = arith.constant 128 : index
    %place = arith.muli %rank, %c128 : index
    tile.view_reduce fadd, %sum, %y[%place] : tensor<128xf32, #row>, !tile.view<?xf32>
  }
}
