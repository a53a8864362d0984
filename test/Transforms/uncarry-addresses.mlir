// RUN: heddle-opt %s --tile-uncarry-addresses --canonicalize --cse | FileCheck %s
// Addresses that move on by one number are made anew from rows, columns and a pointer;
// others stay carried.

// CHECK-LABEL: @rows
// CHECK: scf.for %[[I:.*]] = %c0 to %n step %c1 iter_args(%{{.*}}) -> (tensor<64x64xf32>)
// CHECK: %[[TURN:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: %[[BY:.*]] = arith.muli %[[TURN]], %c64_i64
// CHECK: %[[AT:.*]] = tile.ptr_add %a, %[[BY]]
// CHECK: tile.splat %[[AT]]
// CHECK: %[[ADDRESSES:.*]] = tile.ptr_add %{{.*}} : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
// CHECK: tile.gather %[[ADDRESSES]]
tile.kernel @rows(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %id = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %rows = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %pointers = tile.splat %a : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
  %starts = tile.ptr_add %pointers, %rows : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %iota = tile.iota : tensor<64xi32>
  %columns = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %all_starts = tile.broadcast %starts : tensor<64x1x!tile.ptr<f16>> -> tensor<64x64x!tile.ptr<f16>>
  %all_columns = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %first = tile.ptr_add %all_starts, %all_columns : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %step = tile.splat %c64 : i32 -> tensor<64x64xi32>
  %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) {
    %x = tile.gather %p : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tile.ptr_add %p, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @jumps
// By a number of each row that is loaded.
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>)
tile.kernel @jumps(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %by: !tile.view<?x?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %first = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) {
    %x = tile.gather %p : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %step = tile.load %by[%i, %c0] : !tile.view<?x?xi32> -> tensor<64x64xi32>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tile.ptr_add %p, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @steps
// A step that the loop computes of nothing of its own is computed in front of it.
// CHECK: %[[STEP:.*]] = arith.muli %stride, %c32
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}) -> (tensor<64x64xf32>)
// CHECK: arith.muli
// CHECK: tile.ptr_add %a,
tile.kernel @steps(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index, %stride: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %id = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %rows = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %pointers = tile.splat %a : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
  %starts = tile.ptr_add %pointers, %rows : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %first = tile.broadcast %starts : tensor<64x1x!tile.ptr<f16>> -> tensor<64x64x!tile.ptr<f16>>
  %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) {
    %x = tile.gather %p : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %by = arith.muli %stride, %c32 : i32
    %step = tile.splat %by : i32 -> tensor<64x64xi32>
    %next = tile.ptr_add %p, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
