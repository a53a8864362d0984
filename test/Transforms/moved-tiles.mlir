// RUN: heddle-opt %s --tile-write-counted --canonicalize --cse | FileCheck %s

// Rows and addresses move by multiples of one number of the iteration: its sum is carried in their place, of 32 bits
// as the rows are.
// CHECK-LABEL: tile.kernel @rows
// CHECK: %[[FIRST:.*]] = tile.iota : tensor<64xi32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SUM:.*]] = %c0_i32) -> (tensor<64x64xf32>, i32)
// CHECK-DAG: %[[BY:.*]] = tile.splat %[[SUM]] : i32 -> tensor<64xi32>
// CHECK-DAG: arith.addi %[[FIRST]], %[[BY]] : tensor<64xi32>
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[SUM]] : i32 to i64
// CHECK-DAG: arith.muli %[[WIDE]], %c64_i64 : i64
// CHECK: tile.dot
// CHECK: %[[NEXT:.*]] = arith.addi %[[SUM]], %{{.*}} : i32
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
tile.kernel @rows(%x: !tile.ptr<f16>, %list: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %length: i32, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n64 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %first = tile.iota : tensor<64xi32>
    %ends = tile.splat %length : i32 -> tensor<64xi32>
    %all = tile.splat %n64 : i32 -> tensor<64xi32>
    %starts = arith.muli %first, %all : tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
    %rows0 = tile.ptr_add %base, %starts : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
    %column = tile.expand_dims %rows0, 1 : tensor<64x!tile.ptr<f16>> -> tensor<64x1x!tile.ptr<f16>>
    %p0 = tile.broadcast %column : tensor<64x1x!tile.ptr<f16>> -> tensor<64x64x!tile.ptr<f16>>
    %sum:3 = scf.for %c = %c0 to %k step %c1 iter_args(%s = %zero, %row = %first, %p = %p0) -> (tensor<64x64xf32>, tensor<64xi32>, tensor<64x64x!tile.ptr<f16>>) {
      %inside = arith.cmpi slt, %row, %ends : tensor<64xi32>
      %m = tile.expand_dims %inside, 1 : tensor<64xi1> -> tensor<64x1xi1>
      %mask = tile.broadcast %m : tensor<64x1xi1> -> tensor<64x64xi1>
      %a = tile.gather %p mask %mask : tensor<64x64xi1> : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
      %d = tile.dot %a, %a, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %at = tile.ptr_add %list, %c : !tile.ptr<i32>, index
      %step = tile.gather %at : !tile.ptr<i32> -> i32
      %more = tile.splat %step : i32 -> tensor<64xi32>
      %next = arith.addi %row, %more : tensor<64xi32>
      %far = arith.muli %step, %n64 : i32
      %distance = tile.splat %far : i32 -> tensor<64x64xi32>
      %q = tile.ptr_add %p, %distance : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      scf.yield %d, %next, %q : tensor<64x64xf32>, tensor<64xi32>, tensor<64x64x!tile.ptr<f16>>
    }
    tile.store %sum#0, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
