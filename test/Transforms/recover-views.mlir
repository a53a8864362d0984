// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --cse | FileCheck %s

// A row of a matrix: the mask is the end of the axis of stride 1, what changes from
// instance to instance times a stride is an axis of its own.
// CHECK-LABEL: tile.kernel @row
// CHECK: %[[VIEW:.*]] = tile.make_view %x, [%{{.*}}, %{{.*}}], [%{{.*}}, %c1]
// CHECK: tile.parallel (%[[I:.*]]) to
// CHECK: tile.load %[[VIEW]][%[[I]], %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
// CHECK-NOT: tile.gather
// CHECK: tile.store {{.*}}[%[[I]], %c0] : tensor<64xf32>, !tile.view<?x?xf32>
tile.kernel @row(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %stride: i32, %n: i32, %rows: i32) {
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %row = arith.index_cast %i : index to i32
    %cols = tile.iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %cols, %ends : tensor<64xi32>
    %start = arith.muli %row, %stride : i32
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %source = tile.ptr_add %froms, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.gather %source mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %to = tile.ptr_add %y, %start : !tile.ptr<f32>, i32
    %tos = tile.splat %to : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %v, %target mask %mask : tensor<64xi1> : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// What the mask excludes is not 0 but `other`: it is chosen behind the load, as
// it is stored.
// CHECK-LABEL: tile.kernel @other
// CHECK: %[[V:.*]] = tile.load
// CHECK: arith.select %{{.*}}, %[[V]], %{{.*}} : tensor<64xi1>, tensor<64xf32>
tile.kernel @other(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %count: i32) {
  %one = arith.constant 1.0 : f32
  %c64 = arith.constant 64 : i32
  %bound = arith.index_cast %count : i32 to index
  tile.parallel (%i) to (%bound) {
    %number = arith.index_cast %i : index to i32
    %first = arith.muli %number, %c64 : i32
    %iota = tile.iota : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %offs = arith.addi %firsts, %iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %offs, %ends : tensor<64xi32>
    %ones = tile.splat %one : f32 -> tensor<64xf32>
    %froms = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %source = tile.ptr_add %froms, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.gather %source mask %mask : tensor<64xi1> other %ones : tensor<64xf32> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %v, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// Nothing that is written depends on what the mask excludes, so `other` is not
// chosen.
// CHECK-LABEL: tile.kernel @unused_other
// CHECK: %[[V:.*]] = tile.load
// CHECK-NOT: arith.select
// CHECK: tile.store %[[V]]
tile.kernel @unused_other(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %count: i32) {
  %one = arith.constant 1.0 : f32
  %c64 = arith.constant 64 : i32
  %bound = arith.index_cast %count : i32 to index
  tile.parallel (%i) to (%bound) {
    %number = arith.index_cast %i : index to i32
    %first = arith.muli %number, %c64 : i32
    %iota = tile.iota : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %offs = arith.addi %firsts, %iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %offs, %ends : tensor<64xi32>
    %ones = tile.splat %one : f32 -> tensor<64xf32>
    %froms = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %source = tile.ptr_add %froms, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.gather %source mask %mask : tensor<64xi1> other %ones : tensor<64xf32> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %v, %target mask %mask : tensor<64xi1> : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// A pointer that a loop moves on has moved by as much as the loop has counted.
// CHECK-LABEL: tile.kernel @moved
// CHECK: %[[VIEW:.*]] = tile.make_view %x
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c64 iter_args(%{{.*}} = %{{.*}}) -> (tensor<64xf32>)
// CHECK: tile.load %[[VIEW]][%{{.*}}, %[[K]]]
tile.kernel @moved(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c64_i32 = arith.constant 64 : i32
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %row = arith.index_cast %i : index to i32
    %cols = tile.iota : tensor<64xi32>
    %start = arith.muli %row, %stride : i32
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %first = tile.ptr_add %froms, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %steps = tile.splat %c64_i32 : i32 -> tensor<64xi32>
    %end = arith.index_cast %n : i32 to index
    %last, %sum = scf.for %k = %c0 to %end step %c64 iter_args(%at = %first, %acc = %zeros)
        -> (tensor<64x!tile.ptr<f32>>, tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %left = arith.subi %n, %done : i32
      %ends = tile.splat %left : i32 -> tensor<64xi32>
      %mask = arith.cmpi slt, %cols, %ends : tensor<64xi32>
      %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      %next = tile.ptr_add %at, %steps : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      scf.yield %next, %more : tensor<64x!tile.ptr<f32>>, tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// Where a place is a product with an argument, the argument must not be negative;
// a launch checks it.
// CHECK-LABEL: tile.kernel @asked
// CHECK: tile.assert assumed %{{.*}}, "share is 0 at least"
// CHECK: tile.load
tile.kernel @asked(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %share: i32, %n: i32, %count: i32) {
  %bound = arith.index_cast %count : i32 to index
  tile.parallel (%i) to (%bound) {
    %number = arith.index_cast %i : index to i32
    %first = arith.muli %number, %share : i32
    %iota = tile.iota : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %offs = arith.addi %firsts, %iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %offs, %ends : tensor<64xi32>
    %froms = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %source = tile.ptr_add %froms, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.gather %source mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %v, %target mask %mask : tensor<64xi1> : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// A view of one head's matrix, which the program makes itself: the head is an axis.
// CHECK-LABEL: tile.kernel @head
// CHECK: %[[VIEW:.*]] = tile.make_view %x, [%{{.*}}, %m, %{{.*}}], [%{{.*}}, %{{.*}}, %c1] : !tile.ptr<f32> -> !tile.view<?x?x?xf32>
// CHECK: tile.parallel (%[[I:.*]]) to
// CHECK: tile.load %[[VIEW]][%[[I]], %c0, %c0] : !tile.view<?x?x?xf32> -> tensor<16x64xf32>
// CHECK: tile.store %{{.*}}, %[[VIEW]][%[[I]], %c16, %c0]
tile.kernel @head(%x: !tile.ptr<f32>, %stride: i64, %m: index, %heads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%heads) {
    %head = arith.index_cast %i : index to i64
    %offset = arith.muli %head, %stride : i64
    %p = tile.ptr_add %x, %offset : !tile.ptr<f32>, i64
    %view = tile.make_view %p, [%m, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    %v = tile.load %view[%c0, %c0] : !tile.view<?x?xf32> -> tensor<16x64xf32>
    tile.store %v, %view[%c16, %c0] : tensor<16x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// A matrix for each member of a batch that may have fewer than there are instances: the condition, which
// is the same for all elements, is the end of the batch's axis.
// CHECK-LABEL: tile.kernel @fewer
// CHECK: %[[VIEW:.*]] = tile.make_view %x, [%{{.*}}, %{{.*}}], [%{{.*}}, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
// CHECK: tile.parallel (%[[I:.*]]) to
// CHECK: tile.load %[[VIEW]][%[[I]], %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
// CHECK-NOT: tile.gather
tile.kernel @fewer(%x: !tile.ptr<f32>, %y: !tile.view<?x?xf32>, %stride: i32, %members: i32, %count: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%count) {
    %member = arith.index_cast %i : index to i32
    %alive = arith.cmpi slt, %member, %members : i32
    %mask = tile.splat %alive : i1 -> tensor<64xi1>
    %offset = arith.muli %member, %stride : i32
    %p = tile.ptr_add %x, %offset : !tile.ptr<f32>, i32
    %base = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %lane = tile.iota : tensor<64xi32>
    %at = tile.ptr_add %base, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    tile.store %v, %y[%i, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Places behind the end read the first row, and are never written.
// CHECK-LABEL: tile.kernel @replaced
// CHECK-NOT: tile.gather
// CHECK: tile.load
// CHECK: arith.maxsi
// CHECK: tile.store
tile.kernel @replaced(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %count: index) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  tile.parallel (%i) to (%count) {
    %number = arith.index_cast %i : index to i32
    %first = arith.muli %number, %c64 : i32
    %iota = tile.iota : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %offs = arith.addi %firsts, %iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %offs, %ends : tensor<64xi32>
    %zeros = tile.splat %c0 : i32 -> tensor<64xi32>
    %there = arith.select %mask, %offs, %zeros : tensor<64xi1>, tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %there : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.gather %at : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %v, %target mask %mask : tensor<64xi1> : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// Which matrix a loop reads, memory says: it is an axis too, and the device is
// asked once, where the loop runs, whether the place lies in memory behind the
// argument.
// CHECK-LABEL: tile.kernel @chosen
// CHECK: %[[VIEW:.*]] = tile.make_view %x, [%c2147483632, %{{.*}}], [%{{.*}}, %c1]
// CHECK: tile.parallel
// CHECK: %[[WHICH:.*]] = tile.gather
// CHECK: %[[IS_INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c2147483632_i64
// CHECK: %[[IS_IDLE:.*]] = arith.cmpi sle, %[[END:.*]], %c0
// CHECK: %[[HOLDS:.*]] = arith.ori %[[IS_IDLE]], %[[IS_INSIDE]]
// CHECK: tile.assert assumed %[[HOLDS]], "x is read at a multiple of stride from 0 to 2^31 - 17"
// CHECK: scf.for %[[K:.*]] = %c0 to %[[END]] step %c64
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[WHICH]] : i32 to index
// CHECK: tile.load %[[VIEW]][%[[PLACE]], %[[K]]]
// CHECK-NOT: tile.assert
tile.kernel @chosen(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %table: !tile.ptr<i32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %row = arith.index_cast %i : index to i32
    %cell = tile.ptr_add %table, %row : !tile.ptr<i32>, i32
    %which = tile.gather %cell : !tile.ptr<i32> -> i32
    %cols = tile.iota : tensor<64xi32>
    %start = arith.muli %which, %stride : i32
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %end = arith.index_cast %n : i32 to index
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %dones = tile.splat %done : i32 -> tensor<64xi32>
      %places = arith.addi %dones, %cols : tensor<64xi32>
      %mask = arith.cmpi slt, %places, %ends : tensor<64xi32>
      %at = tile.ptr_add %froms, %places : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// What the launch adds to such a place counts there: the number may be -1.
// CHECK-LABEL: tile.kernel @chosen_before
// CHECK: tile.make_view %x,
// CHECK: %[[WHICH:.*]] = tile.gather
// CHECK: %[[WIDE:.*]] = arith.extsi %[[WHICH]] : i32 to i64
// CHECK: %[[PLACE:.*]] = arith.addi %[[WIDE]], %c1_i64
// CHECK: arith.cmpi ult, %[[PLACE]], %c2147483632_i64
// CHECK: tile.assert
tile.kernel @chosen_before(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %table: !tile.ptr<i32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %row = arith.index_cast %i : index to i32
    %cell = tile.ptr_add %table, %row : !tile.ptr<i32>, i32
    %before = tile.gather %cell : !tile.ptr<i32> -> i32
    %which = arith.addi %before, %one : i32
    %cols = tile.iota : tensor<64xi32>
    %start = arith.muli %which, %stride : i32
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %end = arith.index_cast %n : i32 to index
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %dones = tile.splat %done : i32 -> tensor<64xi32>
      %places = arith.addi %dones, %cols : tensor<64xi32>
      %at = tile.ptr_add %froms, %places : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %at : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// A place that the loop itself reads would be asked about in every iteration:
// the view is made where it is used.
// CHECK-LABEL: tile.kernel @chosen_within
// CHECK: tile.parallel
// CHECK: scf.for
// CHECK: tile.gather
// CHECK: tile.make_view
// CHECK-NOT: tile.assert
tile.kernel @chosen_within(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %table: !tile.ptr<i32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %cols = tile.iota : tensor<64xi32>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %end = arith.index_cast %n : i32 to index
    %sum = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %cell = tile.ptr_add %table, %done : !tile.ptr<i32>, i32
      %which = tile.gather %cell : !tile.ptr<i32> -> i32
      %start = arith.muli %which, %stride : i32
      %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
      %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %at = tile.ptr_add %froms, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %at : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// What is left of a multiple of 128 behind as many 32s as there are in it: nothing,
// whoever reads rows backwards from there begins at the first.
// CHECK-LABEL: tile.kernel @whole_quotient
// CHECK: %[[VIEW:.*]] = tile.make_view %x, [%{{.*}}], [%c1]
// CHECK-NOT: tile.assert
// CHECK: tile.load %[[VIEW]][%{{.*}}]
tile.kernel @whole_quotient(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %instance = arith.index_cast %i : index to i32
    %row = arith.muli %instance, %c128 : i32
    %steps = arith.divsi %row, %c32 : i32
    %way = arith.muli %steps, %c32 : i32
    %first = arith.subi %row, %way : i32
    %start = arith.muli %first, %stride : i32
    %cols = tile.iota : tensor<64xi32>
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %end = arith.index_cast %n : i32 to index
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %dones = tile.splat %done : i32 -> tensor<64xi32>
      %places = arith.addi %dones, %cols : tensor<64xi32>
      %mask = arith.cmpi slt, %places, %ends : tensor<64xi32>
      %at = tile.ptr_add %froms, %places : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// A place that is never positive is not asked about: the device would say no.
// CHECK-LABEL: tile.kernel @never_positive
// CHECK-NOT: tile.assert
tile.kernel @never_positive(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c3 = arith.constant 3 : i32
  %none = arith.constant 0 : i32
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %instance = arith.index_cast %i : index to i32
    %third = arith.divsi %instance, %c3 : i32
    %back = arith.subi %none, %third : i32
    %start = arith.muli %back, %stride : i32
    %cols = tile.iota : tensor<64xi32>
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %end = arith.index_cast %n : i32 to index
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %dones = tile.splat %done : i32 -> tensor<64xi32>
      %places = arith.addi %dones, %cols : tensor<64xi32>
      %mask = arith.cmpi slt, %places, %ends : tensor<64xi32>
      %at = tile.ptr_add %froms, %places : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// Two loops, of which the inner one may be idle too: then nothing is read.
// CHECK-LABEL: tile.kernel @idle_inside
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[OUTER:.*]] = arith.cmpi sle, %{{.*}}, %c0
// CHECK: %[[EITHER:.*]] = arith.ori %[[OUTER]], %[[INSIDE]]
// CHECK: %[[INNER:.*]] = arith.cmpi sle, %{{.*}}, %c0
// CHECK: %[[HOLDS:.*]] = arith.ori %[[INNER]], %[[EITHER]]
// CHECK: tile.assert assumed %[[HOLDS]]
tile.kernel @idle_inside(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %table: !tile.ptr<i32>, %stride: i32, %n: i32, %times: index, %rows: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %bound = arith.index_cast %rows : i32 to index
  tile.parallel (%i) to (%bound) {
    %row = arith.index_cast %i : index to i32
    %cell = tile.ptr_add %table, %row : !tile.ptr<i32>, i32
    %which = tile.gather %cell : !tile.ptr<i32> -> i32
    %start = arith.muli %which, %stride : i32
    %cols = tile.iota : tensor<64xi32>
    %from = tile.ptr_add %x, %start : !tile.ptr<f32>, i32
    %froms = tile.splat %from : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %zeros = tile.splat %zero : f32 -> tensor<64xf32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %end = arith.index_cast %n : i32 to index
    %sum = scf.for %t = %c0 to %times step %c1 iter_args(%outer = %zeros) -> (tensor<64xf32>) {
    %inner = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %outer) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %dones = tile.splat %done : i32 -> tensor<64xi32>
      %places = arith.addi %dones, %cols : tensor<64xi32>
      %mask = arith.cmpi slt, %places, %ends : tensor<64xi32>
      %at = tile.ptr_add %froms, %places : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %more = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    scf.yield %inner : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %cols : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// A block pointer's mask has lower bounds as well, which hold wherever a place begins at 0 or
// above.
// CHECK-LABEL: tile.kernel @block_pointer
// CHECK: %[[VIEW:.*]] = tile.make_view %x
// CHECK: %[[PLACE:.*]] = arith.muli %{{.*}}, %c64
// CHECK: %[[V:.*]] = tile.load %[[VIEW]][%[[PLACE]]]
// CHECK-NOT: arith.select
// CHECK: tile.store %[[V]]
tile.kernel @block_pointer(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %count: i32) {
  %c64 = arith.constant 64 : i32
  %c0 = arith.constant 0 : i64
  %bound = arith.index_cast %count : i32 to index
  tile.parallel (%i) to (%bound) {
    %number = arith.index_cast %i : index to i32
    %first = arith.muli %number, %c64 : i32
    %wide = arith.extsi %first : i32 to i64
    %length = arith.extsi %n : i32 to i64
    %iota = tile.iota : tensor<64xi64>
    %firsts = tile.splat %wide : i64 -> tensor<64xi64>
    %offs = arith.addi %firsts, %iota : tensor<64xi64>
    %zeros = tile.splat %c0 : i64 -> tensor<64xi64>
    %ends = tile.splat %length : i64 -> tensor<64xi64>
    %above = arith.cmpi sge, %offs, %zeros : tensor<64xi64>
    %below = arith.cmpi slt, %offs, %ends : tensor<64xi64>
    %mask = arith.andi %above, %below : tensor<64xi1>
    %froms = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %source = tile.ptr_add %froms, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
    %v = tile.gather %source mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
    tile.scatter %v, %target mask %mask : tensor<64xi1> : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}

// -----

// A loop that goes down takes away what it counts: at its end the first rows are left.
// CHECK-LABEL: tile.kernel @downward
// CHECK: tile.make_view %x
// CHECK: scf.for
// CHECK: tile.load
// CHECK-NOT: tile.gather
tile.kernel @downward(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %tiles: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero : f32 -> tensor<64xf32>
  %end = arith.index_cast %tiles : i32 to index
  %iota = tile.iota : tensor<64xi32>
  %ends = tile.splat %n : i32 -> tensor<64xi32>
  tile.parallel (%i) to (%c1) {
    %sum = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %done = arith.index_cast %k : index to i32
      %left = arith.subi %tiles, %done : i32
      %tile = arith.subi %left, %one : i32
      %first = arith.muli %tile, %c64 : i32
      %firsts = tile.splat %first : i32 -> tensor<64xi32>
      %offs = arith.addi %firsts, %iota : tensor<64xi32>
      %mask = arith.cmpi slt, %offs, %ends : tensor<64xi32>
      %froms = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %source = tile.ptr_add %froms, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %v = tile.gather %source mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
      %next = arith.subf %v, %acc : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %tos = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %target = tile.ptr_add %tos, %iota : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.scatter %sum, %target : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
  }
}
