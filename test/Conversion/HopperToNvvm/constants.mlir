// RUN: heddle compile %s -o - | FileCheck %s
// Tiles made from nothing: a number is the thread's part plus the register's, and
// different elements are selected by the bits that move through the tile only.

// CHECK-LABEL: .entry made(
// One element a lane, selected by two bits of the lane; 3 or 11 is a bit.
// CHECK-COUNT-2: selp
// CHECK-NOT: selp
// CHECK: ret

#four = #hopper.layout<lane = [0, 0, 0, 1, 2], warp = [], reg = [], tile = [4], rep = [1]>
#pair = #hopper.layout<lane = [2, 4, 8, 16, 32], warp = [], reg = [1], tile = [64], rep = [1]>
hopper.kernel @made(%n: !tile.view<?xi32>, %y: !tile.view<?xi32>) source "made" threads 32 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "all" warps 0 + 1 registers 0 {
    %t = arith.constant dense<[7, 5, 3, 11]> : tensor<4xi32, #four>
    hopper.global_store %t, %n[%c0] : tensor<4xi32, #four>, !tile.view<?xi32>
    %i = tile.iota : tensor<64xi32, #pair>
    hopper.global_store %i, %y[%c0] : tensor<64xi32, #pair>, !tile.view<?xi32>
  }
}
