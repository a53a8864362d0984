// RUN: heddle-opt %s --sched-mark-steady | FileCheck %s
//
// What a loop does not do in each iteration: exchange what threads have added up, where
// the sum is read behind the loop, and go the way that only iterations near its ends go.

// CHECK-LABEL: tile.kernel @sums(
// CHECK: tile.reduce %{{.*}} axis 1 {sched.delayed} : {{.*}} combine
// CHECK-NEXT: arith.addf
// CHECK: tile.reduce %{{.*}} axis 1 : {{.*}} combine
// CHECK-NEXT: arith.maximumf
tile.kernel @sums(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = tile.dim %x, 1 : !tile.view<?x?xf32>
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64xf32>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%l = %zero) -> (tensor<64xf32>) {
    %t = tile.load %x[%c0, %k] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %here = tile.reduce %t axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %both = arith.addf %p, %q : f32
      tile.yield %both : f32
    }
    %most = tile.reduce %t axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %larger = arith.maximumf %p, %q : f32
      tile.yield %larger : f32
    }
    %scaled = arith.mulf %l, %most : tensor<64xf32>
    %next = arith.addf %scaled, %here : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  tile.store %sum, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
}

// Only the last iteration is ragged; only the first iteration is at the begin.
// CHECK-LABEL: tile.kernel @branches(
// CHECK: } {sched.steady = false}
// CHECK: } {sched.steady = true}
tile.kernel @branches(%a: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
    %next = arith.addi %i, %c64 : index
    %last = arith.cmpi sgt, %next, %n : index
    %y = scf.if %last -> (tensor<64xf32>) {
      %m = arith.negf %x : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    } else {
      scf.yield %x : tensor<64xf32>
    }
    %later = arith.cmpi sge, %i, %c64 : index
    %z = scf.if %later -> (tensor<64xf32>) {
      %m = arith.negf %y : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    } else {
      scf.yield %y : tensor<64xf32>
    }
    tile.store %z, %a[%i] : tensor<64xf32>, !tile.view<?xf32>
  }
}
