// RUN: heddle-opt %s --split-input-file --tile-repeat-numbers | FileCheck %s
// Numbers that stay one process's: the kernel writes the row, it scales alone, or the tile is no row.

// CHECK-LABEL: tile.kernel @written
// CHECK-NOT: sched.repeated
tile.kernel @written(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %lengths: !tile.view<?xi32>, %y: !tile.view<?x?xf32>, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %length = tile.load %lengths[%i] : !tile.view<?xi32> -> tensor<64xi32>
    %most = tile.reduce %length axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {
      %r = arith.maxsi %p, %q : i32
      tile.yield %r : i32
    }
    %to = arith.index_cast %most : i32 to index
    %sum = scf.for %c = %c0 to %to step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    tile.store %length, %lengths[%i] : tensor<64xi32>, !tile.view<?xi32>
  }
}

// -----

// CHECK-LABEL: tile.kernel @scales
// CHECK-NOT: sched.repeated
tile.kernel @scales(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %scales: !tile.view<?xf32>, %tile: !tile.view<?x?xi32>, %y: !tile.view<?x?xf32>, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %scale = tile.load %scales[%i] : !tile.view<?xf32> -> tensor<64xf32>
    %most = tile.reduce %scale axis 0 : tensor<64xf32> -> f32 combine (%p: f32, %q: f32) {
      %r = arith.maxnumf %p, %q : f32
      tile.yield %r : f32
    }
    %square = tile.load %tile[%i, %c0] : !tile.view<?x?xi32> -> tensor<64x64xi32>
    %row = tile.reshape %square : tensor<64x64xi32> -> tensor<4096xi32>
    %end = tile.reduce %row axis 0 : tensor<4096xi32> -> i32 combine (%p: i32, %q: i32) {
      %r = arith.maxsi %p, %q : i32
      tile.yield %r : i32
    }
    %to = arith.index_cast %end : i32 to index
    %sum = scf.for %c = %c0 to %to step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %by = tile.splat %most : f32 -> tensor<64x64xf32>
    %scaled = arith.mulf %sum, %by : tensor<64x64xf32>
    tile.store %scaled, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
