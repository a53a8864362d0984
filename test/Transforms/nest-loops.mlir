// RUN: heddle-opt %s --split-input-file --tile-nest-loops --canonicalize --cse | FileCheck %s

// The next tile is chosen in the first iteration of a turn; in the last one the
// sum is stored and begins anew.
// CHECK-LABEL: tile.kernel @counted
// CHECK: %[[EACH:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK: %[[COUNT:.*]] = arith.divui %{{.*}}, %[[EACH]]
// CHECK: tile.assert %{{.*}}, "the length of a loop's turn is not negative"
// CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1 iter_args(%[[TILE:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[NEXT:.*]] = arith.addi %[[TILE]], %c3_i32
// CHECK: %[[INNER:.*]] = scf.for %[[AT:.*]] = %c0 to %[[EACH]] step %c1 iter_args(%[[PART:.*]] = %{{.*}})
// CHECK-NOT: scf.if
// CHECK: %[[DOT:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[PART]]
// CHECK: scf.yield %[[DOT]]
// CHECK: tile.store %[[INNER]]
// CHECK: scf.yield %[[NEXT]] : i32
tile.kernel @counted(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %each: i32, %tiles: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = arith.constant -1 : i32
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n3 = arith.constant 3 : i32
  %n64 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %first = arith.index_cast %i : index to i32
    %n = arith.muli %each, %tiles : i32
    %all = arith.index_cast %n : i32 to index
    %r:4 = scf.for %k = %c0 to %all step %c1 iter_args(%c = %before, %t = %first, %row = %n0, %s = %zero) -> (i32, i32, i32, tensor<64x64xf32>) {
      %end = arith.subi %each, %n1 : i32
      %isEnd = arith.cmpi eq, %c, %end : i32
      %more = arith.addi %c, %n1 : i32
      %at = arith.select %isEnd, %n0, %more : i32
      %isFirst = arith.cmpi eq, %at, %n0 : i32
      %chosen:2 = scf.if %isFirst -> (i32, i32) {
        %next = arith.addi %t, %n3 : i32
        %place = arith.muli %next, %n64 : i32
        scf.yield %next, %place : i32, i32
      } else {
        scf.yield %t, %row : i32, i32
      }
      %m = arith.index_cast %chosen#1 : i32 to index
      %inner = arith.muli %at, %n64 : i32
      %l = arith.index_cast %inner : i32 to index
      %a = tile.load %x[%m, %l] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%l, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %isLast = arith.cmpi eq, %at, %end : i32
      %new = arith.select %isLast, %zero, %d : tensor<64x64xf32>
      scf.if %isLast {
        tile.store %d, %y[%m, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      scf.yield %at, %chosen#0, %chosen#1, %new : i32, i32, i32, tensor<64x64xf32>
    }
  }
}

// -----

// The loop's number is divided; the sum begins anew in the first iteration.
// CHECK-LABEL: tile.kernel @divided
// CHECK: scf.for %[[TURN:.*]] = %c0 to %{{.*}} step %c1 {{.*}}{
// CHECK: %[[INNER:.*]] = scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[PART:.*]] = %{{.*}})
// CHECK: tile.load %x[%[[TURN]], %[[AT]]]
// CHECK-NOT: arith.select
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[PART]]
// CHECK: tile.store %[[INNER]], %y[%[[TURN]], %c0]
tile.kernel @divided(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %each: index, %tiles: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %all = arith.muli %tiles, %each : index
    %end = arith.subi %each, %c1 : index
    %r = scf.for %k = %c0 to %all step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %at = arith.remsi %k, %each : index
      %turn = arith.divsi %k, %each : index
      %a = tile.load %x[%turn, %at] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%at, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %isFirst = arith.cmpi eq, %at, %c0 : index
      %sum = arith.select %isFirst, %zero, %s : tensor<64x64xf32>
      %d = tile.dot %a, %b, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %isLast = arith.cmpi eq, %at, %end : index
      scf.if %isLast {
        tile.store %d, %y[%turn, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    }
  }
}

// -----

// Turns that may not be whole, and a store behind that of the last iteration:
// one loop each.
// CHECK-LABEL: tile.kernel @broken
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: tile.kernel @behind
// CHECK: scf.for
// CHECK-NOT: scf.for
tile.kernel @broken(%x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %each: index, %all: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %end = arith.subi %each, %c1 : index
    %r = scf.for %k = %c0 to %all step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %at = arith.remsi %k, %each : index
      %a = tile.load %x[%k, %at] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %a, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %isLast = arith.cmpi eq, %at, %end : index
      scf.if %isLast {
        tile.store %d, %y[%k, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    }
  }
}
tile.kernel @behind(%x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %z: !tile.view<?x?xf32>, %each: index, %tiles: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %all = arith.muli %tiles, %each : index
    %end = arith.subi %each, %c1 : index
    %r = scf.for %k = %c0 to %all step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %at = arith.remsi %k, %each : index
      %a = tile.load %x[%k, %at] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %a, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %isLast = arith.cmpi eq, %at, %end : index
      scf.if %isLast {
        tile.store %d, %y[%k, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      tile.store %d, %z[%k, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      scf.yield %d : tensor<64x64xf32>
    }
  }
}
