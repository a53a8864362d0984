// RUN: heddle compile %s -o - | FileCheck %s
// A thread combines its registers, then lanes over the bits that move along the
// axis and over no other: those that hold replicas would count twice.

// Two rows of four registers: a tree of depth 2 each, then lanes 1 and 2.
// CHECK-LABEL: .entry rows(
// CHECK-COUNT-6: max.NaN.f32
// CHECK-NOT: max.NaN
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 1, 31, -1
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 1, 31, -1
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 2, 31, -1
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 2, 31, -1
// CHECK-NOT: shfl.sync.bfly
// CHECK: ret

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 2]>
#row = #hopper.layout<lane = [0, 0, 0, 0, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 1], rep = [1, 1]>
hopper.kernel @rows(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>) source "rows" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "all" warps 0 + 4 registers 0 {
    %t = hopper.global_load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x16xf32, #acc>
    %m = hopper.reduce %t axis 1 : tensor<64x16xf32, #acc> -> tensor<64x1xf32, #row> combine (%p: f32, %q: f32) {
      %s = arith.maximumf %p, %q : f32
      hopper.yield %s : f32
    }
    hopper.global_store %m, %y[%c0, %c0] : tensor<64x1xf32, #row>, !tile.view<?x?xf32>
  }
}

// A combiner that is not symmetric takes the lower lane's value first in both
// lanes, so that replicas agree in every bit. 16-bit values travel alone, those
// of 64 bits in two registers.
// CHECK-LABEL: .entry pair(
// CHECK-NOT: selp
// CHECK-COUNT-3: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 8, 31, -1
// CHECK-COUNT-4: selp
// CHECK-COUNT-3: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 16, 31, -1
// CHECK-COUNT-4: selp
// CHECK-NOT: shfl.sync.bfly
// CHECK: ret

#four = #hopper.layout<lane = [0, 0, 0, 1, 2], warp = [], reg = [], tile = [4], rep = [1]>
#one = #hopper.layout<lane = [0, 0, 0, 0, 0], warp = [], reg = [], tile = [1], rep = [1]>
hopper.kernel @pair(%x: !tile.view<?xf16>, %n: !tile.view<?xi64>, %y: !tile.view<?xf16>, %m: !tile.view<?xi64>) source "pair" threads 32 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "all" warps 0 + 1 registers 0 {
    %t = hopper.global_load %x[%c0] : !tile.view<?xf16> -> tensor<4xf16, #four>
    %i = hopper.global_load %n[%c0] : !tile.view<?xi64> -> tensor<4xi64, #four>
    %r:2 = hopper.reduce %t, %i axis 0 : tensor<4xf16, #four>, tensor<4xi64, #four> -> tensor<1xf16, #one>, tensor<1xi64, #one>
        combine (%p: f16, %j: i64, %q: f16, %k: i64) {
      %s = arith.subf %p, %q : f16
      %l = arith.subi %j, %k : i64
      hopper.yield %s, %l : f16, i64
    }
    hopper.global_store %r#0, %y[%c0] : tensor<1xf16, #one>, !tile.view<?xf16>
    hopper.global_store %r#1, %m[%c0] : tensor<1xi64, #one>, !tile.view<?xi64>
  }
}

// By thread: the tree alone.
// CHECK-LABEL: .entry parts(
// CHECK-COUNT-6: add.rn.f32
// CHECK-NOT: add.rn.f32
// CHECK-NOT: shfl
// CHECK: ret

#parts = #hopper.layout<lane = [0, 1, 0, 2, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 4], rep = [1, 1]>
hopper.kernel @parts(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>) source "parts" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "all" warps 0 + 4 registers 0 {
    %t = hopper.global_load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x16xf32, #acc>
    %s = hopper.reduce %t axis 1 by_thread : tensor<64x16xf32, #acc> -> tensor<64x4xf32, #parts> combine (%p: f32, %q: f32) {
      %r = arith.addf %p, %q : f32
      hopper.yield %r : f32
    }
    hopper.global_store %s, %y[%c0, %c0] : tensor<64x4xf32, #parts>, !tile.view<?x?xf32>
  }
}
