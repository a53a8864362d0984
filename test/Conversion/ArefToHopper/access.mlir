// RUN: heddle-opt %s --aref-to-hopper --split-input-file --verify-diagnostics | FileCheck %s

// Threads access whole rows of 16 bytes where the launch finds them aligned; a
// second variant takes any view, an element at a time, neighbouring lanes next to
// each other.

// CHECK-LABEL: hopper.kernel @scale(
// CHECK-SAME: tma [] rows [0, 1]
// CHECK: hopper.grid %{{.*}} blocks 16
// CHECK: hopper.global_load %a[%{{.*}}] vector 8 : {{.*}} -> tensor<1024xf16, #hopper.layout<lane = [8, 16, 32, 64, 128], warp = [256, 512], reg = [1, 2, 4], tile = [1024], rep = [1]>>
// CHECK: hopper.global_store %{{.*}} vector 8
// CHECK-LABEL: hopper.kernel @scale_general(
// CHECK-NOT: rows
// CHECK: hopper.global_load %a[%{{.*}}] : {{.*}} -> tensor<1024xf16, #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [8]>>
// CHECK: hopper.global_store %{{[0-9]+}}, %b[%{{[0-9]+}}] :
tile.kernel @scale(%a: !tile.view<?xf16>, %b: !tile.view<?xf16>, %i: index) {
  %c1024 = arith.constant 1024 : index
  aref.process "main" warps 4 registers 0 {
    %at = arith.muli %i, %c1024 : index
    %x = tile.load %a[%at] : !tile.view<?xf16> -> tensor<1024xf16>
    %y = arith.addf %x, %x : tensor<1024xf16>
    // expected-remark @+1 {{threads store this tile: a thread holds 16 bytes in a row}}
    tile.store %y, %b[%at] : tensor<1024xf16>, !tile.view<?xf16>
  }
}

// -----

// Nothing is known about the offset, so there is one variant.
// CHECK-LABEL: hopper.kernel @anywhere(
// CHECK-NOT: vector
// CHECK-NOT: hopper.kernel
tile.kernel @anywhere(%a: !tile.view<?xf16>, %i: index) {
  aref.process "main" warps 4 registers 0 {
    %x = tile.load %a[%i] : !tile.view<?xf16> -> tensor<1024xf16>
    // expected-remark @+1 {{[store-not-tma]}}
    tile.store %x, %a[%i] : tensor<1024xf16>, !tile.view<?xf16>
  }
}

// -----

// Columns read along the other axis than they are written: through shared memory,
// because a store of scattered elements would cost more.
// CHECK-LABEL: hopper.kernel @turn(
// CHECK: %[[X:.*]] = hopper.global_load %a{{.*}} vector 8 {{.*}} reg = [1, 0, 2, 0, 4, 0]
// CHECK: hopper.local_store %[[X]]
// CHECK: %[[Y:.*]] = hopper.local_load
// CHECK: hopper.global_store %[[Y]], %b{{.*}} vector 8
tile.kernel @turn(%a: !tile.view<?x?xf16, #tile.order<0, 1>>, %b: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<64x64xf16>
    // expected-remark @+2 {{[layout-round-trip]}}
    // expected-remark @+1 {{threads store this tile: a thread holds 16 bytes in a row}}
    tile.store %x, %b[%c0, %c0] : tensor<64x64xf16>, !tile.view<?x?xf16>
  }
}
