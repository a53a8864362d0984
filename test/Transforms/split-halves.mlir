// RUN: heddle-opt %s --sched-name-ops --tile-split | FileCheck %s

// The columns of a product are stored in two halves: each sub-tile of rows has its own.
// CHECK-LABEL: tile.kernel @halves
// CHECK-COUNT-2: tile.dot {{.*}} -> tensor<64x64xf32>
// CHECK: tile.reshape {{.*}} : tensor<64x64xf32> -> tensor<64x2x32xf32>
// CHECK: tile.split {{.*}} : tensor<64x32x2xf32> -> tensor<64x32xf32>
// CHECK: tile.split {{.*}} : tensor<64x32x2xf32> -> tensor<64x32xf32>
// CHECK-COUNT-4: tile.store {{.*}} : tensor<64x32xf32>
tile.kernel @halves(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %m = tile.dim %c, 0 : !tile.view<?x?xf32>
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  scf.for %row = %c0 to %m step %c128 {
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
      %x = tile.load %a[%row, %i] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    }
    %cube = tile.reshape %sum : tensor<128x64xf32> -> tensor<128x2x32xf32>
    %turned = tile.trans %cube, [0, 2, 1] : tensor<128x2x32xf32> -> tensor<128x32x2xf32>
    %left, %right = tile.split %turned : tensor<128x32x2xf32> -> tensor<128x32xf32>
    tile.store %left, %c[%row, %c0] : tensor<128x32xf32>, !tile.view<?x?xf32>
    tile.store %right, %c[%row, %c32] : tensor<128x32xf32>, !tile.view<?x?xf32>
  }
}
