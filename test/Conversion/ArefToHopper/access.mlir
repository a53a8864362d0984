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

// -----

// Merged axes: rows are pieces of memory's, so eight neighbours lie in one of them. Windows along the fastest axis
// are none.
// CHECK-LABEL: hopper.kernel @merged(
// CHECK-SAME: rows [0, 1]
// CHECK: hopper.global_load %{{.*}} vector 8
// CHECK: hopper.global_store %{{.*}} vector 8
// CHECK-LABEL: hopper.kernel @merged_general(
// CHECK-NOT: vector
tile.kernel @merged(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>) {
  %c0 = arith.constant 0 : index
  %x = tile.merge %a axes 1 to 2 : !tile.view<?x?x?xf16> -> !tile.view<?x?xf16>
  %y = tile.merge %b axes 1 to 2 : !tile.view<?x?x?xf16> -> !tile.view<?x?xf16>
  aref.process "main" warps 4 registers 0 {
    %t = tile.load %x[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    // expected-remark @+1 {{threads store this tile: a thread holds 16 bytes in a row}}
    tile.store %t, %y[%c0, %c0] : tensor<64x64xf16>, !tile.view<?x?xf16>
  }
}

// -----

// CHECK-LABEL: hopper.kernel @windows(
// CHECK-NOT: vector
// CHECK-NOT: hopper.kernel
tile.kernel @windows(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?x?xf16>, %n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %w = tile.window %a axis 1 extent %n, window 0 extent %n, low %c0
    : !tile.view<?x?xf16> -> !tile.view<?x?x?xf16, #tile.order<2, 0, 1>>
  aref.process "main" warps 4 registers 0 {
    %t = tile.load %w[%c0, %c0, %c0] : !tile.view<?x?x?xf16, #tile.order<2, 0, 1>> -> tensor<64x64xf16>
    // expected-remark @+1 {{[store-not-tma]}}
    tile.store %t, %b[%c0, %c0, %i] : tensor<64x64xf16>, !tile.view<?x?x?xf16>
  }
}
