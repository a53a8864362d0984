// RUN: heddle-opt %s --aref-to-hopper --split-input-file --verify-diagnostics | FileCheck %s
//
// A reduction reads its operands in one layout and gives its slice. Along the
// rows of accumulators a warp has all it needs.

// CHECK-LABEL: hopper.kernel @rows(
tile.kernel @rows(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %zero = arith.constant dense<0.0> : tensor<64x48xf32>
  aref.process "all" warps 4 registers 0 {
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x48xf16>
    // expected-remark @+2 {{[operand-staged]}}
    // CHECK: %[[D:.*]] = hopper.wgmma_wait
    %d = tile.dot %x, %y, %zero : tensor<64x32xf16>, tensor<32x48xf16> -> tensor<64x48xf32>
    // The combiner's constant comes from outside.
    // CHECK: %[[P:.*]] = hopper.reduce %[[D]] axis 1 : tensor<64x48xf32, {{.*}}> -> tensor<64x1xf32, #hopper.layout<lane = [0, 0, 0, 0, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 1], rep = [1, 1]>> combine (%[[A:.*]]: f32, %[[B:.*]]: f32)
    // CHECK-NEXT: %[[T:.*]] = arith.mulf %[[B]], %{{.*}} : f32
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[T]] : f32
    // CHECK-NEXT: hopper.yield %[[S]] : f32
    // CHECK: %[[R:.*]] = tile.reshape %[[P]] : {{.*}} -> tensor<64xf32, #hopper.layout<lane = [0, 0, 1, 2, 4], warp = [16, 32], reg = [8], tile = [64], rep = [1]>>
    %s = tile.reduce %d axis 1 : tensor<64x48xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %t = arith.mulf %q, %two : f32
      %u = arith.addf %p, %t : f32
      tile.yield %u : f32
    }
    // CHECK-NEXT: %[[E:.*]] = tile.expand_dims %[[R]], 1
    // CHECK-NEXT: tile.broadcast %[[E]]
    %e = tile.expand_dims %s, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %f = tile.broadcast %e : tensor<64x1xf32> -> tensor<64x48xf32>
    %o = arith.subf %d, %f : tensor<64x48xf32>
    tile.store %o, %c[%c0, %c0] : tensor<64x48xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Across warps, every thread then combines the parts of all of them. Two
// operands pass through shared memory at once.

// CHECK-LABEL: hopper.kernel @columns(
tile.kernel @columns(%x: !tile.view<?x?xf32>, %n: !tile.view<?x?xi32>, %y: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  aref.process "all" warps 4 registers 0 {
    %v = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<16x128xf32>
    %i = tile.load %n[%c0, %c0] : !tile.view<?x?xi32> -> tensor<16x128xi32>
    // CHECK: %[[P:.*]]:2 = hopper.reduce %{{.*}}, %{{.*}} axis 0 {{.*}} -> tensor<4x128xf32, #[[PART:.*]]>, tensor<4x128xi32
    // CHECK: %[[V:.*]] = hopper.buffer "all.scratch" at 0 : !hopper.smem<4x128xf32
    // CHECK: %[[I:.*]] = hopper.buffer "all.scratch1" at 2048 : !hopper.smem<4x128xi32
    // CHECK-NOT: hopper.sync
    // CHECK: hopper.local_store %[[P]]#0, %[[V]]
    // CHECK: hopper.local_store %[[P]]#1, %[[I]]
    // CHECK: hopper.sync 1 threads 128
    // CHECK: %[[PV:.*]] = hopper.local_load %[[V]] : {{.*}} tile = [1, 128], rep = [4, 1]
    // CHECK: %[[PI:.*]] = hopper.local_load %[[I]] : {{.*}} tile = [1, 128], rep = [4, 1]
    // CHECK: hopper.reduce %[[PV]], %[[PI]] axis 0 : {{.*}} -> tensor<1x128xf32
    // expected-remark @+1 {{results go through 4096 B of shared memory: other warps hold what a thread needs}}
    %m:2 = tile.reduce %v, %i axis 0 : tensor<16x128xf32>, tensor<16x128xi32> -> tensor<128xf32>, tensor<128xi32>
        combine (%p: f32, %j: i32, %q: f32, %k: i32) {
      %less = arith.cmpf ogt, %p, %q : f32
      %w = arith.select %less, %p, %q : f32
      %l = arith.select %less, %j, %k : i32
      tile.yield %w, %l : f32, i32
    }
    // expected-remark @+1 {{[store-not-tma]}}
    tile.store %m#1, %y[%c0] : tensor<128xi32>, !tile.view<?xi32>
  }
}

// -----

// A scalar is the same in all threads.

// CHECK-LABEL: hopper.kernel @total(
tile.kernel @total(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  aref.process "all" warps 4 registers 0 {
    %v = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<1024xf32>
    // CHECK: hopper.reduce %{{.*}} axis 0 {{.*}} -> tensor<4xf32
    // CHECK: %[[ONE:.*]] = hopper.reduce %{{.*}} axis 0 {{.*}} -> tensor<1xf32
    // CHECK: %[[S:.*]] = tile.unsplat %[[ONE]]
    // expected-remark @+1 {{results go through 16 B}}
    %s = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 combine (%p: f32, %q: f32) {
      %u = arith.addf %p, %q : f32
      tile.yield %u : f32
    }
    // CHECK: tile.splat %[[S]]
    %t = tile.splat %s : f32 -> tensor<8xf32>
    // expected-remark @+1 {{[store-not-tma]}}
    tile.store %t, %y[%c0] : tensor<8xf32>, !tile.view<?xf32>
  }
}
