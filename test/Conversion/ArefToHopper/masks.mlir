// RUN: heddle-opt %s --aref-to-hopper | FileCheck %s
//
// What costs nothing to repeat, numbers and constants too, is made in the layout
// of each user; the mask has that of the accumulators which it selects from.

// CHECK-LABEL: hopper.kernel @masked(
tile.kernel @masked(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %bound: i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %numbers = tile.iota : tensor<64xi32>
  aref.process "all" warps 4 registers 0 {
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
    // CHECK: %[[D:.*]] = hopper.wgmma_wait
    %d = tile.dot %x, %y, %zero : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    // CHECK-DAG: %[[COLUMNS:.*]] = tile.iota : tensor<64xi32, #hopper.layout<lane = [2, 4, 0, 0, 0], warp = [0, 0], reg = [1], tile = [8], rep = [8]>>
    // CHECK-DAG: tile.splat %bound : i32 -> tensor<64xi32, #hopper.layout<lane = [2, 4, 0, 0, 0]
    // CHECK: arith.cmpi slt, %[[COLUMNS]]
    %bounds = tile.splat %bound : i32 -> tensor<64xi32>
    %below = arith.cmpi slt, %numbers, %bounds : tensor<64xi32>
    %below2 = tile.expand_dims %below, 0 : tensor<64xi1> -> tensor<1x64xi1>
    %columns = tile.broadcast %below2 : tensor<1x64xi1> -> tensor<64x64xi1>
    // CHECK: %[[ROWS:.*]] = tile.iota : tensor<64xi32, #hopper.layout<lane = [0, 0, 1, 2, 4], warp = [16, 32], reg = [8], tile = [64], rep = [1]>>
    // CHECK: arith.cmpi sge, %[[ROWS]]
    %least = arith.cmpi sge, %numbers, %bounds : tensor<64xi32>
    %least2 = tile.expand_dims %least, 1 : tensor<64xi1> -> tensor<64x1xi1>
    %rows = tile.broadcast %least2 : tensor<64x1xi1> -> tensor<64x64xi1>
    %mask = arith.andi %rows, %columns : tensor<64x64xi1>
    // CHECK-NOT: convert_layout
    // CHECK: arith.select %{{.*}}, %[[D]]
    %s = arith.select %mask, %d, %zero : tensor<64x64xi1>, tensor<64x64xf32>
    tile.store %s, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
