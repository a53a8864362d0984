// RUN: heddle-opt %s --sched-name-ops --tile-split=machine=b200 | FileCheck %s

// Sub-tiles are as high as one product of the machine.
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %i: index) {
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<256x64xf32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<256x64xf16>
  %y = tile.load %b[%i, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<256x64xf16>, tensor<64x64xf16> -> tensor<256x64xf32>
  tile.store %d, %c[%i, %i] : tensor<256x64xf32>, !tile.view<?x?xf32>
}
// CHECK: tile.load %a{{.*}}sched.sub = 0{{.*}} -> tensor<128x64xf16>
// CHECK: arith.constant 128 : index
// CHECK: tile.load %a{{.*}}sched.sub = 1{{.*}} -> tensor<128x64xf16>
// CHECK: tile.dot{{.*}}sched.sub = 1{{.*}} -> tensor<128x64xf32>
// CHECK-NOT: sched.sub = 2
