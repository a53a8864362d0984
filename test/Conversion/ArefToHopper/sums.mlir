// RUN: heddle-opt %s --sched-mark-steady --aref-to-hopper --split-input-file | FileCheck %s
//
// A sum that a loop only scales and adds to is carried in parts: a thread combines
// its registers in the loop, and lanes do so behind it. Reductions without a mark are
// combined at once.
// RUN: heddle-opt %s --aref-to-hopper --split-input-file | FileCheck %s --check-prefix=UNMARKED --implicit-check-not=by_thread
// UNMARKED: hopper.kernel @scaled(

// Four lanes hold a row. The factor of a row is the same in all of them; what the
// sum starts from counts in one.
// CHECK-LABEL: hopper.kernel @scaled(
// CHECK: %[[START:.*]] = hopper.global_load %start
// CHECK: %[[SPREAD:.*]] = tile.broadcast %{{.*}} -> tensor<64x4xf32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}} : tensor<4xi32
// CHECK: %[[MASK:.*]] = tile.broadcast %{{.*}} -> tensor<64x4xi1
// CHECK: %[[INIT:.*]] = arith.select %[[MASK]], %[[SPREAD]], %{{.*}} : tensor<64x4xi1
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[INIT]])
// CHECK: %[[HERE:.*]] = hopper.reduce %{{.*}} axis 1 by_thread : {{.*}} -> tensor<64x4xf32, #hopper.layout<lane = [0, 1, 0, 2, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 4], rep = [1, 1]>>
// CHECK: %[[FACTOR:.*]] = tile.broadcast
// CHECK: %[[SCALED:.*]] = arith.mulf %[[CARRIED]], %[[FACTOR]] : tensor<64x4xf32
// CHECK: %[[NEXT:.*]] = arith.addf %[[SCALED]], %[[HERE]] : tensor<64x4xf32
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[TOTAL:.*]] = hopper.reduce %[[SUM]] axis 1 : tensor<64x4xf32{{.*}} -> tensor<64x1xf32
// CHECK: %[[ROW:.*]] = tile.reshape %[[TOTAL]] : {{.*}} -> tensor<64xf32
// CHECK: hopper.global_store %[[ROW]]
tile.kernel @scaled(%x: !tile.view<?x?xf16>, %start: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = tile.dim %x, 1 : !tile.view<?x?xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  aref.process "all" warps 4 registers 0 {
    %s = tile.load %start[%c0] : !tile.view<?xf32> -> tensor<64xf32>
    %a = tile.load %x[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x16xf16>
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%l = %s) -> (tensor<64xf32>) {
      %b = tile.load %x[%k, %c0] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      %d = tile.dot %a, %b, %zero : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
      %here = tile.reduce %d axis 1 : tensor<64x16xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %m = tile.reduce %d axis 1 : tensor<64x16xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
        %larger = arith.maximumf %p, %q : f32
        tile.yield %larger : f32
      }
      %scaled = arith.mulf %l, %m : tensor<64xf32>
      %next = arith.addf %scaled, %here : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    tile.store %sum, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// Where warps share the axis, the exchange leaves the loop too. Of a tile of one
// axis the sum is a number.
// CHECK-LABEL: hopper.kernel @number(
// CHECK: %[[ZEROS:.*]] = tile.splat %{{.*}} : f32 -> tensor<128xf32
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS]])
// CHECK-NOT: hopper.sync
// CHECK: hopper.reduce %{{.*}} axis 0 by_thread : {{.*}} -> tensor<128xf32
// CHECK-NOT: hopper.sync
// CHECK: scf.yield
// CHECK: hopper.reduce %{{.*}} axis 0 : tensor<128xf32{{.*}} -> tensor<4xf32
// CHECK: hopper.sync
// CHECK: hopper.reduce %{{.*}} axis 0 : tensor<4xf32{{.*}} -> tensor<1xf32
// CHECK: tile.unsplat
tile.kernel @number(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %next = arith.addf %l, %here : f32
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}

// -----

// The parts of an inner loop's sum meet in the outer loop only where that reads it.
// CHECK-LABEL: hopper.kernel @nested(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: by_thread
// CHECK: scf.yield
// CHECK: hopper.reduce %{{.*}} axis 0 :
// CHECK: hopper.global_store
// CHECK: scf.yield
// CHECK-NOT: hopper.reduce
// CHECK-LABEL: hopper.kernel @nested_general(
tile.kernel @nested(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?xf32>
  %n = tile.dim %x, 1 : !tile.view<?x?xf32>
  aref.process "all" warps 4 registers 0 {
    %all = scf.for %i = %c0 to %m step %c1 iter_args(%outer = %f0) -> (f32) {
      %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %outer) -> (f32) {
        %t = tile.load %x[%i, %k] : !tile.view<?x?xf32> -> tensor<512xf32>
        %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
          %both = arith.addf %p, %q : f32
          tile.yield %both : f32
        }
        %next = arith.addf %l, %here : f32
        scf.yield %next : f32
      }
      %one = tile.splat %sum : f32 -> tensor<1xf32>
      tile.store %one, %y[%i] : tensor<1xf32>, !tile.view<?xf32>
      scf.yield %sum : f32
    }
  }
}
