// RUN: heddle-opt %s --aref-to-hopper | FileCheck %s
//
// No tensor core: tiles are computed in coalesced layouts, travel through a slot
// as registers, and the reader takes them in its own layout. No view can use TMA
// for loads, so the producer's warps arrive and no general variant is needed
// unless a store uses TMA.

!ring = !aref.ring<[tensor<64x48xf32>, tensor<64xf32>]>
!credit = !aref.ring<[]>

// CHECK-LABEL: hopper.kernel @relay(
// CHECK-SAME: threads 256
// CHECK: hopper.ring "x" depth 1 at 0 slot 13312 full [[FULL:[0-9]+]] x 4 empty {{[0-9]+}} x 4
// CHECK: hopper.ring "go" depth 2 at {{[0-9]+}} slot 0 full {{[0-9]+}} x 4 empty {{[0-9]+}} x 4
tile.kernel @relay(%a: !tile.view<?x?xf32, #tile.order<0, 1>>, %v: !tile.view<?xf32>,
                   %c: !tile.view<?x?xf32, #tile.order<0, 1>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant dense<2.0> : tensor<64x48xf32>
  %x = aref.ring "x" depth 1 : !ring
  %go = aref.ring "go" depth 2 : !credit
  // CHECK: hopper.process "make" warps 0 + 4 registers 0 {
  aref.process "make" warps 4 registers 0 {
    %t0 = aref.first_turn %x : !ring
    %g0 = aref.first_turn %go : !credit
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %t0, %g = %g0) -> (!aref.turn, !aref.turn) {
      // CHECK: hopper.wait "go" "full"[%[[G:.*]]] phase
      %gt, %gn = aref.get %go[%g] : !credit
      // CHECK: %[[A:.*]] = hopper.global_load %{{.*}} -> tensor<64x48xf32, #hopper.layout<lane = [4, 0, 8, 0,
      %l = tile.load %a[%c0, %i] : !tile.view<?x?xf32, #tile.order<0, 1>> -> tensor<64x48xf32>
      // CHECK: %[[TWO:.*]] = tile.splat
      // CHECK: %[[M:.*]] = arith.mulf %[[A]], %[[TWO]]
      %m = arith.mulf %l, %two : tensor<64x48xf32>
      %w = tile.load %v[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %e = math.exp %w : tensor<64xf32>
      // The slot is waited for with the parity of the turn before; one slot needs no wrap.
      // CHECK: %[[PARITY:.*]] = arith.xori %[[PHASE:.*]], %
      // CHECK: hopper.wait "x" "empty"[%[[SLOT:.*]]] phase %[[PARITY]]
      // CHECK-NEXT: arith.constant 1
      // CHECK-NEXT: %[[NEXT:.*]] = arith.xori %[[PHASE]]
      %tok, %n = aref.acquire %x[%t] : !ring
      // CHECK: %[[S0:.*]] = hopper.slot "x"[%[[SLOT]]] at 0 : !hopper.smem<64x48xf32, order = [1, 0], swizzle = 64>
      // CHECK: hopper.local_store %[[M]], %[[S0]]
      // CHECK: %[[S1:.*]] = hopper.slot "x"[%[[SLOT]]] at 12288 : !hopper.smem<64xf32, order = [0], swizzle = 0>
      // CHECK: hopper.local_store %{{.*}}, %[[S1]]
      // CHECK-NOT: hopper.fence_async
      // CHECK: hopper.arrive "x" "full"[%[[SLOT]]]
      aref.publish %x[%tok], %m, %e : !ring, tensor<64x48xf32>, tensor<64xf32>
      // CHECK: hopper.arrive "go" "empty"[%[[G]]]
      aref.release %go[%gt] : !credit
      // CHECK: scf.yield %[[SLOT]], %[[NEXT]]
      scf.yield %n, %gn : !aref.turn, !aref.turn
    }
  }
  // CHECK: hopper.process "use" warps 4 + 4 registers 0 {
  aref.process "use" warps 4 registers 0 {
    %t0 = aref.first_turn %x : !ring
    %g0 = aref.first_turn %go : !credit
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %t0, %g = %g0) -> (!aref.turn, !aref.turn) {
      // CHECK: hopper.wait "go" "empty"
      // CHECK: hopper.arrive "go" "full"
      %gt, %gn = aref.acquire %go[%g] : !credit
      aref.publish %go[%gt] : !credit
      // CHECK: hopper.wait "x" "full"
      %tok, %n, %m, %e = aref.get %x[%t] : !ring -> tensor<64x48xf32>, tensor<64xf32>
      // CHECK: hopper.local_load %{{.*}} -> tensor<64xf32,
      %e1 = tile.expand_dims %e, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %eb = tile.broadcast %e1 : tensor<64x1xf32> -> tensor<64x48xf32>
      // CHECK: hopper.local_load %{{.*}} -> tensor<64x48xf32,
      // CHECK: %[[S:.*]] = arith.subf
      %s = arith.subf %m, %eb : tensor<64x48xf32>
      // CHECK: hopper.arrive "x" "empty"[%{{.*}}] after %[[S]]
      aref.release %x[%tok] after %s : !ring, tensor<64x48xf32>
      // A column-major view is stored by threads.
      // CHECK: hopper.global_store %[[S]]
      tile.store %s, %c[%c0, %i] : tensor<64x48xf32>, !tile.view<?x?xf32, #tile.order<0, 1>>
      scf.yield %n, %gn : !aref.turn, !aref.turn
    }
  }
}
// CHECK-NOT: @relay_general
