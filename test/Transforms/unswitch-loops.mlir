// RUN: heddle-opt %s --split-input-file --tile-unswitch-loops --canonicalize | FileCheck %s

// A flag of the launch chooses the matrix: a loop for each.
// CHECK-LABEL: tile.kernel @chosen
// CHECK: %[[IS:.*]] = arith.cmpi ne, %flag
// CHECK: %[[SUM:.*]] = scf.if %[[IS]]
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: tile.load %w[
// CHECK: tile.dot
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: tile.load %v[
// CHECK: tile.dot
// CHECK: tile.store %[[SUM]]
tile.kernel @chosen(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %v: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %flag: i32, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %is = arith.cmpi ne, %flag, %no : i32
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %next = scf.if %is -> (tensor<64x64xf32>) {
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } else {
        %b = tile.load %v[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// The loop changes the condition, or nothing is multiplied: these stay.
// CHECK-LABEL: tile.kernel @stay
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK: scf.for
// CHECK: scf.if
// CHECK: arith.addf
// CHECK-NOT: scf.for
tile.kernel @stay(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %flag: index, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %is = arith.cmpi ne, %flag, %c : index
      %next = scf.if %is -> (tensor<64x64xf32>) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } else {
        %half = arith.addf %s, %s : tensor<64x64xf32>
        scf.yield %half : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    %fixed = arith.cmpi ne, %flag, %c0 : index
    %more = scf.for %c = %c0 to %k step %c64 iter_args(%s = %sum) -> (tensor<64x64xf32>) {
      %next = scf.if %fixed -> (tensor<64x64xf32>) {
        %twice = arith.addf %s, %s : tensor<64x64xf32>
        scf.yield %twice : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %more, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
