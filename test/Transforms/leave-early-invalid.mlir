// RUN: heddle-opt %s --split-input-file --tile-leave-early | FileCheck %s

// Instances that must run though a store of theirs writes nothing.

// One store has a view that every instance writes.
// CHECK-LABEL: tile.kernel @always
// CHECK-NOT: scf.if
tile.kernel @always(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %d: !tile.view<?xf32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %first = arith.index_cast %length : i32 to index
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addf %x, %s : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %one = tile.make_view %c, [%first], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
    tile.store %sum, %d[%i] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// An addition to memory is an effect, wherever it stands.
// CHECK-LABEL: tile.kernel @adds
// CHECK-NOT: scf.if
tile.kernel @adds(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %d: !tile.view<?xf32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%count) {
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %first = arith.index_cast %length : i32 to index
    %x = tile.load %a[%c0] : !tile.view<?xf32> -> tensor<64xf32>
    scf.for %j = %c0 to %k step %c64 {
      tile.view_reduce fadd, %x, %d[%j] : tensor<64xf32>, !tile.view<?xf32>
    }
    %one = tile.make_view %c, [%first], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %x, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// The end is read behind a store, which may have written it.
// CHECK-LABEL: tile.kernel @behind
// CHECK-NOT: scf.if
tile.kernel @behind(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %first = arith.index_cast %length : i32 to index
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addf %x, %s : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %one = tile.make_view %c, [%first], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
    %again = tile.gather %ends : !tile.ptr<i32> -> i32
    %second = arith.index_cast %again : i32 to index
    %other = tile.make_view %c, [%second], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %other[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// A store in a loop: the next iteration's view may have elements.
// CHECK-LABEL: tile.kernel @inside
// CHECK-NOT: scf.if
tile.kernel @inside(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%count) {
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %first = arith.index_cast %length : i32 to index
    scf.for %j = %c0 to %k step %c64 {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %one = tile.make_view %c, [%first], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
      tile.store %x, %one[%j] : tensor<64xf32>, !tile.view<?xf32>
    }
  }
}

// -----

// A launch knows the end: it has no instances too many.
// CHECK-LABEL: tile.kernel @launch
// CHECK-NOT: scf.if
tile.kernel @launch(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %n: index, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %left = arith.subi %n, %i : index
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addf %x, %s : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %one = tile.make_view %c, [%left], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// What the program asserts is seen whether it writes or not.
// CHECK-LABEL: tile.kernel @asserts
// CHECK-NOT: scf.if
tile.kernel @asserts(%a: !tile.view<?xf32>, %c: !tile.ptr<f32>, %ends: !tile.ptr<i32>, %count: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %last = arith.index_cast %length : i32 to index
    %holds = arith.cmpi sge, %last, %c0 : index
    tile.assert %holds, "a length" : i1
    %sum = scf.for %j = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%j] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addf %x, %s : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %one = tile.make_view %c, [%last], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    tile.store %sum, %one[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
