// RUN: heddle-opt %s --split-input-file --tile-flatten-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: tile.kernel @taps
// CHECK: %[[EACH:.*]] = arith.ceildivui %{{.*}}, %c64 : index
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %[[EACH]] : index
// CHECK: scf.for %[[TURN:.*]] = %c0 to %[[ALL]] step %c1 iter_args
// CHECK-NOT: scf.for
// CHECK: %[[TAP:.*]] = arith.divui %[[TURN]], %[[EACH]]
// CHECK: %[[PART:.*]] = arith.remui %[[TURN]], %[[EACH]]
// CHECK: %[[CHANNEL:.*]] = arith.muli %[[PART]], %c64
// CHECK: tile.load %x[%[[TAP]], %[[CHANNEL]]]
tile.kernel @taps(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %taps: index, %channels: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %tap = %c0 to %taps step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %first = arith.muli %tap, %channels : index
      %inner = scf.for %c = %c0 to %channels step %c64 iter_args(%t = %s) -> (tensor<64x64xf32>) {
        %row = arith.addi %first, %c : index
        %a = tile.load %x[%tap, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %t : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      scf.yield %inner : tensor<64x64xf32>
    }
    tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// The inner loop's end changes, and the sum is scaled between: two loops.
// CHECK-LABEL: tile.kernel @changes
// CHECK: scf.for
// CHECK: scf.for
// CHECK-LABEL: tile.kernel @between
// CHECK: scf.for
// CHECK: scf.for
tile.kernel @changes(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %taps: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %tap = %c0 to %taps step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %inner = scf.for %c = %c0 to %tap step %c64 iter_args(%t = %s) -> (tensor<64x64xf32>) {
        %a = tile.load %x[%tap, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %t : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      scf.yield %inner : tensor<64x64xf32>
    }
    tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
tile.kernel @between(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %taps: index, %channels: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %tap = %c0 to %taps step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %inner = scf.for %c = %c0 to %channels step %c64 iter_args(%t = %s) -> (tensor<64x64xf32>) {
        %a = tile.load %x[%tap, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %t : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      %twice = arith.addf %inner, %inner : tensor<64x64xf32>
      scf.yield %twice : tensor<64x64xf32>
    }
    tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// Three loops are one, though the bounds of the inner ones are known at run time.
// CHECK-LABEL: tile.kernel @three
// CHECK: scf.for
// CHECK-NOT: scf.for
tile.kernel @three(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %rows: index, %taps: index, %channels: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %all = scf.for %row = %c0 to %rows step %c1 iter_args(%r = %zero) -> (tensor<64x64xf32>) {
      %sum = scf.for %tap = %c0 to %taps step %c1 iter_args(%s = %r) -> (tensor<64x64xf32>) {
        %inner = scf.for %c = %c0 to %channels step %c64 iter_args(%t = %s) -> (tensor<64x64xf32>) {
          %a = tile.load %x[%row, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
          %b = tile.load %w[%c, %tap] : !tile.view<?x?xf16> -> tensor<64x64xf16>
          %d = tile.dot %a, %b, %t : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
          scf.yield %d : tensor<64x64xf32>
        }
        scf.yield %inner : tensor<64x64xf32>
      }
      scf.yield %sum : tensor<64x64xf32>
    }
    tile.store %all, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
