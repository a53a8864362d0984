// RUN: heddle-opt %s --split-input-file --tile-leave-early --verify-diagnostics | FileCheck %s

// Memory says how many rows there are: an instance behind the last one would multiply for nothing.
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.parallel
// CHECK-NEXT: %[[ROWS:.*]] = tile.gather
// CHECK-NEXT: %[[LAST:.*]] = arith.index_cast %[[ROWS]] : i32 to index
// CHECK-NEXT: %[[PLACE:.*]] = arith.muli
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[LAST]], %[[PLACE]] : index
// CHECK-NEXT: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %[[LEFT]] : index
// CHECK-NEXT: scf.if %[[ANY]] {
// CHECK: scf.for
// CHECK: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @rows(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.ptr<f32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %last = arith.index_cast %length : i32 to index
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %j] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %place = arith.muli %i, %c64 : index
    %left = arith.subi %last, %place : index
    %view = tile.make_view %c, [%left, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    tile.store %sum, %view[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Two stores: where one writes, the instance works.
// CHECK-LABEL: tile.kernel @either
// CHECK: %[[A:.*]] = arith.cmpi slt
// CHECK-NEXT: %[[B:.*]] = arith.cmpi slt
// CHECK-NEXT: %[[ANY:.*]] = arith.ori %[[A]], %[[B]] : i1
// CHECK-NEXT: scf.if %[[ANY]] {
tile.kernel @either(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %first = arith.index_cast %length : i32 to index
    %second = arith.subi %first, %i : index
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %d = arith.addf %x, %s : tensor<64xf32>
      scf.yield %d : tensor<64xf32>
    }
    %one = tile.make_view %c, [%first], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
    %other = tile.make_view %c, [%second], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %other[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// What is assumed of a load matters where the instance works.
// CHECK-LABEL: tile.kernel @assumed
// CHECK: scf.if
// CHECK: tile.assert assumed
// CHECK: scf.for
tile.kernel @assumed(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %last = arith.index_cast %length : i32 to index
    %holds = arith.cmpi sge, %last, %c0 : index
    tile.assert assumed %holds, "a length" : i1
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addf %x, %s : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %one = tile.make_view %c, [%last], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
