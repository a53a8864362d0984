// RUN: heddle-opt %s --split-input-file --tile-open-conditionals | FileCheck %s
// Conditionals that stay closed.

// One hands on a loaded tile as it is, which would be read behind the release of its slot; one updates memory and reads
// what was there.
// CHECK-LABEL: tile.kernel @stay
// CHECK: scf.if
// CHECK-NEXT: tile.load
// CHECK: scf.if
// CHECK: tile.atomic_rmw
tile.kernel @stay(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %lock: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %is = arith.cmpi sgt, %c, %from : index
      %a = scf.if %is -> (tensor<64x64xf16>) {
        %l = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        scf.yield %l : tensor<64x64xf16>
      } else {
        %l = tile.load %w[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        scf.yield %l : tensor<64x64xf16>
      }
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.if %is {
        %old = tile.atomic_rmw add, relaxed, gpu, %lock, %one : !tile.ptr<i32>, i32 -> i32
      }
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Nothing is multiplied.
// CHECK-LABEL: tile.kernel @copies
// CHECK: scf.if
// CHECK-NEXT: tile.load
tile.kernel @copies(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%count) {
    scf.for %c = %c0 to %k step %c64 {
      %is = arith.cmpi sgt, %c, %from : index
      scf.if %is {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf32> -> tensor<64x64xf32>
        tile.store %a, %y[%i, %c] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
    }
  }
}
