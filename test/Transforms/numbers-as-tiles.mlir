// RUN: heddle-opt %s --split-input-file --tile-numbers-as-tiles --canonicalize --cse | FileCheck %s

// A block's largest element scales its product, and the largest one so far is carried: both are tiles of one
// element in the loop, and behind it the second one is a number.
// CHECK-LABEL: tile.kernel @scaled
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} -> (tensor<64x64xf32>, tensor<1xf32>)
// CHECK: %[[ROWS:.*]] = tile.reduce %{{.*}} axis 1 : tensor<64x64xf32> -> tensor<64xf32>
// CHECK: %[[ROW:.*]] = tile.expand_dims %[[ROWS]], 0 : tensor<64xf32> -> tensor<1x64xf32>
// CHECK: %[[MAX:.*]] = tile.reduce %[[ROW]] axis 1 : tensor<1x64xf32> -> tensor<1xf32>
// CHECK: %[[PLUS:.*]] = arith.addf %[[MAX]], %{{.*}} : tensor<1xf32>
// CHECK: %[[ONE:.*]] = tile.expand_dims %[[PLUS]], 0 : tensor<1xf32> -> tensor<1x1xf32>
// CHECK: tile.broadcast %[[ONE]] : tensor<1x1xf32> -> tensor<64x64xf32>
// CHECK: %[[MOST:.*]] = arith.maxnumf %{{.*}}, %[[PLUS]] : tensor<1xf32>
// CHECK: scf.yield %{{.*}}, %[[MOST]]
// CHECK: %[[N:.*]] = tile.unsplat %[[LOOP]]#1 : tensor<1xf32> -> f32
// CHECK: tile.scatter %[[N]], %best : f32
tile.kernel @scaled(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %best: !tile.ptr<f32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %sum:2 = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero, %m = %f0) -> (tensor<64x64xf32>, f32) {
    %a = tile.load %x[%c0, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %wide = tile.cast %a : tensor<64x64xf16> -> tensor<64x64xf32>
    %all = tile.reshape %wide : tensor<64x64xf32> -> tensor<4096xf32>
    %largest = tile.reduce %all axis 0 : tensor<4096xf32> -> f32 combine (%p: f32, %q: f32) {
      %r = arith.maxnumf %p, %q : f32
      tile.yield %r : f32
    }
    %by = arith.addf %largest, %f1 : f32
    %scale = tile.splat %by : f32 -> tensor<64x64xf32>
    %d = tile.dot %a, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %e = arith.mulf %d, %scale : tensor<64x64xf32>
    %t = arith.addf %s, %e : tensor<64x64xf32>
    %most = arith.maxnumf %m, %by : f32
    scf.yield %t, %most : tensor<64x64xf32>, f32
  }
  tile.store %sum#0, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.scatter %sum#1, %best : f32, !tile.ptr<f32>
}

// -----

// A state is scaled where a number of a tile says so: always computed, by 1 where it does not. What only one branch
// computes otherwise is chosen.
// CHECK-LABEL: tile.kernel @decided
// CHECK: scf.for
// CHECK: %[[FAR:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : tensor<1xf32>
// CHECK-NOT: scf.if
// CHECK: %[[BY:.*]] = arith.select %{{.*}}, %[[R:.*]], %{{.*}} : tensor<64x1xi1>, tensor<64x1xf32>
// CHECK: %[[WIDE:.*]] = tile.broadcast %[[BY]]
// CHECK: arith.mulf %{{.*}}, %[[WIDE]]
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xi1>, tensor<64xf32>
// CHECK-NOT: scf.if
// CHECK: tile.store
tile.kernel @decided(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %f8 = arith.constant 8.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %none = tile.splat %f0 : f32 -> tensor<64xf32>
  %sum:2 = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero, %m = %none) -> (tensor<64x64xf32>, tensor<64xf32>) {
    %a = tile.load %x[%c0, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %wide = tile.cast %a : tensor<64x64xf16> -> tensor<64x64xf32>
    %rows = tile.reduce %wide axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %r = arith.maxnumf %p, %q : f32
      tile.yield %r : f32
    }
    %largest = tile.reduce %rows axis 0 : tensor<64xf32> -> f32 combine (%p: f32, %q: f32) {
      %r = arith.maxnumf %p, %q : f32
      tile.yield %r : f32
    }
    %far = arith.cmpf ogt, %largest, %f8 : f32
    %now:2 = scf.if %far -> (tensor<64x64xf32>, tensor<64xf32>) {
      %column = tile.expand_dims %rows, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %by = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %t = arith.mulf %s, %by : tensor<64x64xf32>
      %n = arith.addf %m, %rows : tensor<64xf32>
      scf.yield %t, %n : tensor<64x64xf32>, tensor<64xf32>
    } else {
      scf.yield %s, %m : tensor<64x64xf32>, tensor<64xf32>
    }
    %d = tile.dot %a, %b, %now#0 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d, %now#1 : tensor<64x64xf32>, tensor<64xf32>
  }
  %column = tile.expand_dims %sum#1, 1 : tensor<64xf32> -> tensor<64x1xf32>
  %by = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.addf %sum#0, %by : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

// A conditional that numbers decide reads it as a number again, and what it makes of it is a tile.
// CHECK-LABEL: tile.kernel @inside
// CHECK: %[[T:.*]] = tile.reduce %{{.*}} axis 1 : tensor<1x64xf16> -> tensor<1xf16>
// CHECK: %[[IF:.*]]:2 = scf.if %{{.*}} -> (tensor<64x64xf32>, tensor<1xf16>)
// CHECK-NEXT: %[[N:.*]] = tile.unsplat %[[T]] : tensor<1xf16> -> f16
// CHECK-NEXT: tile.cast %[[N]] : f16 -> f32
// CHECK: tile.scatter %[[IF]]#1, %{{.*}} : tensor<1xf16>, tensor<1x!tile.ptr<f16>>
tile.kernel @inside(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %last: !tile.ptr<f16>, %k: index, %from: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %h0 = arith.constant 0.0 : f16
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %all = tile.reshape %a : tensor<64x64xf16> -> tensor<4096xf16>
    %largest = tile.reduce %all axis 0 : tensor<4096xf16> -> f16 combine (%p: f16, %q: f16) {
      %r = arith.maxnumf %p, %q : f16
      tile.yield %r : f16
    }
    %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %is = arith.cmpi sgt, %c, %from : index
    %t:2 = scf.if %is -> (tensor<64x64xf32>, f16) {
      %by = tile.cast %largest : f16 -> f32
      %wide = tile.splat %by : f32 -> tensor<64x64xf32>
      %e = arith.mulf %d, %wide : tensor<64x64xf32>
      scf.yield %e, %largest : tensor<64x64xf32>, f16
    } else {
      scf.yield %d, %h0 : tensor<64x64xf32>, f16
    }
    tile.scatter %t#1, %last : f16, !tile.ptr<f16>
    scf.yield %t#0 : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
