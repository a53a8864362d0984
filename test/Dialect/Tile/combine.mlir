// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @combine
tile.kernel @combine(%x: !tile.view<?x?xf32>, %n: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x32xf32>
  // CHECK: tile.reduce %{{.*}} axis 1 : tensor<64x32xf32> -> tensor<64xf32> combine (%[[P:.*]]: f32, %[[Q:.*]]: f32) {
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[Q]] : f32
  // CHECK-NEXT: tile.yield %[[S]] : f32
  %sum = tile.reduce %t axis 1 : tensor<64x32xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    tile.yield %s : f32
  }
  %i = tile.iota : tensor<64xi32>
  // CHECK: %{{.*}}:2 = tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32
  %max, %arg = tile.reduce %sum, %i axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32
      combine (%a: f32, %ia: i32, %b: f32, %ib: i32) {
    %more = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %more, %a, %b : f32
    %iv = arith.select %more, %ia, %ib : i32
    tile.yield %v, %iv : f32, i32
  }
  // CHECK: tile.scan %{{.*}} axis 1 reverse : tensor<64x32xf32> -> tensor<64x32xf32> combine
  %prefix = tile.scan %t axis 1 reverse : tensor<64x32xf32> -> tensor<64x32xf32>
      combine (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    tile.yield %s : f32
  }
  %numbers = tile.load %n[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %mask = arith.cmpi slt, %numbers, %i : tensor<64xi32>
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} : tensor<64xi1> : tensor<64xi32> -> tensor<16xi32>
  %h = tile.histogram %numbers mask %mask : tensor<64xi1> : tensor<64xi32> -> tensor<16xi32>
  // CHECK: tile.histogram %{{.*}} : tensor<64xi32> -> tensor<8xi32>
  %h2 = tile.histogram %numbers : tensor<64xi32> -> tensor<8xi32>
}
