// RUN: heddle-opt %s --split-input-file --tile-numbers-as-tiles | FileCheck %s
// Loops that stay: the number decides where the loop reads, or what runs that must not always run.

// CHECK-LABEL: tile.kernel @place
// CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32
// CHECK-NOT: tensor<1x
tile.kernel @place(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %at: !tile.view<?x?xi32>, %y: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %places = tile.load %at[%c, %c0] : !tile.view<?x?xi32> -> tensor<64xi32>
    %first = tile.reduce %places axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {
      %r = arith.minsi %p, %q : i32
      tile.yield %r : i32
    }
    %from = arith.index_cast %first : i32 to index
    %a = tile.load %x[%c0, %from] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%from, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

// What is read there may lie nowhere.
// CHECK-LABEL: tile.kernel @reads
// CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf16> -> f16
// CHECK: scf.if
// CHECK-NOT: tensor<1x
tile.kernel @reads(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %bias: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %h0 = arith.constant 0.0 : f16
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %row = tile.load %x[%c, %c0] : !tile.view<?x?xf16> -> tensor<64xf16>
    %most = tile.reduce %row axis 0 : tensor<64xf16> -> f16 combine (%p: f16, %q: f16) {
      %r = arith.maxnumf %p, %q : f16
      tile.yield %r : f16
    }
    %is = arith.cmpf ogt, %most, %h0 : f16
    %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %t = scf.if %is -> (tensor<64x64xf32>) {
      %o = tile.load %bias[%c0, %c] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %e = arith.addf %d, %o : tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    } else {
      scf.yield %d : tensor<64x64xf32>
    }
    scf.yield %t : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

// A loop without products is one process's anyway.
// CHECK-LABEL: tile.kernel @norm
// CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32
tile.kernel @norm(%x: !tile.view<?x?xf32>, %y: !tile.ptr<f32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %f0) -> (f32) {
    %row = tile.load %x[%c0, %c] : !tile.view<?x?xf32> -> tensor<64xf32>
    %part = tile.reduce %row axis 0 : tensor<64xf32> -> f32 combine (%p: f32, %q: f32) {
      %r = arith.addf %p, %q : f32
      tile.yield %r : f32
    }
    %t = arith.addf %s, %part : f32
    scf.yield %t : f32
  }
  tile.scatter %sum, %y : f32, !tile.ptr<f32>
}
