// RUN: heddle-opt %s --aref-to-hopper 2>/dev/null | FileCheck %s
//
// Ops that only rename axes give the layout other names and move nothing. A scan
// wants an axis within a warp; data that choose elements go through shared memory.

// CHECK-LABEL: hopper.kernel @moves(
tile.kernel @moves(%x: !tile.view<?x?xf32>, %n: !tile.view<?xi32>, %y: !tile.view<?x?xf32>, %z: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  aref.process "all" warps 4 registers 0 {
    // CHECK: %[[X:.*]] = hopper.global_load {{.*}} -> tensor<32x64xf32, #hopper.layout<lane = [0, 4, 0, 8, 0, 16, 0, 32, 1, 0], warp = [2, 0, 4, 0], reg = [0, 1, 0, 2], tile = [8, 64], rep = [4, 1]>>
    %v = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<32x64xf32>
    // CHECK: %[[T:.*]] = tile.trans %[[X]], [1, 0] : {{.*}} -> tensor<64x32xf32, #hopper.layout<lane = [4, 0, 8, 0, 16, 0, 32, 0, 0, 1]
    %t = tile.trans %v, [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
    // CHECK-NEXT: %[[B:.*]] = tile.trans %[[T]], [1, 0]
    %b = tile.trans %t, [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
    // CHECK-NEXT: %[[R:.*]] = tile.reshape %[[B]] : {{.*}} -> tensor<32x32x2xf32
    %r = tile.reshape %b : tensor<32x64xf32> -> tensor<32x32x2xf32>
    // CHECK-NEXT: %[[H:.*]], %{{.*}} = tile.split %[[R]]
    %h, %k = tile.split %r : tensor<32x32x2xf32> -> tensor<32x32xf32>
    // CHECK-NEXT: %[[C:.*]] = tile.cat
    %c = tile.cat %h, %k, 0 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    // CHECK-NOT: hopper.local_load
    // CHECK: hopper.local_store %[[C]]
    tile.store %c, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<?x?xf32>

    // Four warps along the only axis: they hold replicas while they scan it.
    // CHECK: %[[N:.*]] = hopper.global_load {{.*}} warp = [128, 256]
    %i = tile.load %n[%c0] : !tile.view<?xi32> -> tensor<512xi32>
    // CHECK: hopper.local_store %[[N]]
    // CHECK: %[[L:.*]] = hopper.local_load {{.*}} -> tensor<512xi32, #hopper.layout<lane = [16, 32, 64, 128, 256], warp = [0, 0], reg = [1, 2, 4, 8], tile = [512], rep = [1]>>
    // CHECK: %[[S:.*]] = hopper.scan %[[L]] axis 0 reverse
    // CHECK: hopper.yield
    %s = tile.scan %i axis 0 reverse : tensor<512xi32> -> tensor<512xi32> combine (%p: i32, %q: i32) {
      %u = arith.addi %p, %q : i32
      tile.yield %u : i32
    }
    // CHECK: hopper.sync
    // CHECK: hopper.local_store %[[S]], %[[TABLE:.*]] :
    // CHECK: hopper.sync
    // CHECK: %[[TAKEN:.*]] = hopper.local_take %[[TABLE]][%{{.*}}], 0
    %w = tile.take %s[%i], 0 : tensor<512xi32>, tensor<512xi32> -> tensor<512xi32>
    // CHECK: %[[ZERO:.*]] = tile.splat %{{.*}} : i32 -> tensor<64xi32
    // CHECK: hopper.local_store %[[ZERO]], %[[COUNTS:.*]] :
    // CHECK: hopper.sync
    // CHECK: hopper.local_count %[[TAKEN]], %[[COUNTS]]
    // CHECK: hopper.sync
    // CHECK: hopper.local_load %[[COUNTS]]
    %f = tile.histogram %w : tensor<512xi32> -> tensor<64xi32>
    tile.store %f, %z[%c0] : tensor<64xi32>, !tile.view<?xi32>
  }
}
