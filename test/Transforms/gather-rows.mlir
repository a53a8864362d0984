// RUN: heddle-opt %s --tile-gather-rows --canonicalize --cse | FileCheck %s
// Rows of 128 bytes are no whole accesses of a machine whose threads take 256 at once.
// RUN: sed 's/"access_bytes": {"value": 16/"access_bytes": {"value": 256/' %S/../../machines/h200.json > %t.json
// RUN: heddle-opt %s --tile-gather-rows=machine=%t.json --canonicalize --cse | FileCheck %s --check-prefix=FAR
// FAR-LABEL: @rows
// FAR-NOT: rows %
// FAR: tile.gather
// What products gather is loaded where each row is an array of its own, with the row's place and an end along the
// columns. What is no such row stays.

!p = tensor<64x64x!tile.ptr<f16>>
!x = tensor<64x64xf16>
!s = tensor<64x64xf32>

// CHECK-LABEL: @rows
// CHECK-DAG: %[[NONE:.*]] = tile.splat %c-9223372036854775808_i64 : i64 -> tensor<64x1xi64>
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %{{.*}} : tensor<64x1xi32> to tensor<64x1xi64>
// CHECK: %[[ROWS:.*]] = arith.select %{{.*}}, %[[WIDE]], %[[NONE]] : tensor<64x1xi1>, tensor<64x1xi64>
// CHECK: scf.for
// CHECK: %[[BOUND:.*]] = arith.index_cast %left : i32 to index
// CHECK: %[[LEAST:.*]] = arith.minsi %[[BOUND]], %c64 : index
// CHECK: %[[END:.*]] = arith.maxsi %[[LEAST]], %c0 : index
// CHECK: %[[VIEW:.*]] = tile.make_view %a, [%c64, %[[END]]], [%c0, %c1]
// CHECK: %[[LOAD:.*]] = tile.load %[[VIEW]][%c0, %c0] rows %[[ROWS]] : tensor<64x1xi64> : !tile.view<?x?xf16> -> tensor<64x64xf16>
// CHECK: tile.dot %[[LOAD]]
tile.kernel @rows(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %left: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !s
  %id = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %column = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ends = tile.splat %left : i32 -> tensor<64xi32>
  %there = arith.cmpi slt, %id, %ends : tensor<64xi32>
  %iota = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) {
    %base = tile.splat %a : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
    %starts = tile.ptr_add %base, %column : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
    %all = tile.broadcast %starts : tensor<64x1x!tile.ptr<f16>> -> !p
    %at = tile.ptr_add %all, %columns : !p, tensor<64x64xi32>
    %end = tile.splat %left : i32 -> tensor<1x64xi32>
    %inside = arith.cmpi slt, %row, %end : tensor<1x64xi32>
    %insides = tile.broadcast %inside : tensor<1x64xi1> -> tensor<64x64xi1>
    %there_column = tile.expand_dims %there, 1 : tensor<64xi1> -> tensor<64x1xi1>
    %theres = tile.broadcast %there_column : tensor<64x1xi1> -> tensor<64x64xi1>
    %mask = arith.andi %theres, %insides : tensor<64x64xi1>
    %x = tile.gather %at mask %mask : tensor<64x64xi1> : !p -> !x
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> !x
    %d = tile.dot %x, %y, %s : !x, !x -> !s
    scf.yield %d : !s
  }
  tile.store %sum, %c[%c0, %c0] : !s, !tile.view<?x?xf32>
}

// Sums of 32 bits do not wrap, because the address would lie outside of the argument: what is added is added in 64.
// CHECK-LABEL: @sum_of_32_bits
// CHECK: %[[SUMMED:.*]] = arith.extsi %{{.*}} : tensor<64x1xi32> to tensor<64x1xi64>
// CHECK: scf.for
// CHECK: tile.load %{{.*}} rows %[[SUMMED]] : tensor<64x1xi64>
tile.kernel @sum_of_32_bits(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !s
  %id = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %column = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %starts = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x64xi32>
  %iota = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) {
    %base = tile.splat %a : !tile.ptr<f16> -> !p
    %offset = arith.addi %starts, %columns : tensor<64x64xi32>
    %at = tile.ptr_add %base, %offset : !p, tensor<64x64xi32>
    %x = tile.gather %at : !p -> !x
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> !x
    %d = tile.dot %x, %y, %s : !x, !x -> !s
    scf.yield %d : !s
  }
  tile.store %sum, %c[%c0, %c0] : !s, !tile.view<?x?xf32>
}

// Places that change are read for the load alone, as often as it is done; arrays may stand in columns.
// CHECK-LABEL: @turned_in_loop
// CHECK: scf.for
// CHECK: %[[PAGE:.*]] = tile.gather %{{.*}} {sched.repeated} : tensor<64x!tile.ptr<i32>> -> tensor<64xi32>
// CHECK: %[[COLUMN:.*]] = tile.expand_dims %[[PAGE]], 1
// CHECK: %[[PLACES:.*]] = arith.extsi %[[COLUMN]] {sched.repeated} : tensor<64x1xi32> to tensor<64x1xi64>
// CHECK: %[[LOADED:.*]] = tile.load %{{.*}} rows %[[PLACES]] : tensor<64x1xi64> : !tile.view<?x?xf16> -> tensor<64x128xf16>
// CHECK: %[[TURNED:.*]] = tile.trans %[[LOADED]], [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
// CHECK: tile.dot %{{.*}}, %[[TURNED]]
tile.kernel @turned_in_loop(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.ptr<i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !s
  %iota = tile.iota : tensor<64xi32>
  %column_iota = tile.iota : tensor<128xi32>
  %column = tile.expand_dims %column_iota, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %columns = tile.broadcast %column : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (!s) {
    %first = arith.index_cast %i : index to i32
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %numbers = arith.addi %firsts, %iota : tensor<64xi32>
    %table = tile.splat %ids : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
    %at_id = tile.ptr_add %table, %numbers : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %id = tile.gather %at_id : tensor<64x!tile.ptr<i32>> -> tensor<64xi32>
    %row = tile.expand_dims %id, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %rows = tile.broadcast %row : tensor<1x64xi32> -> tensor<128x64xi32>
    %offset = arith.addi %rows, %columns : tensor<128x64xi32>
    %base = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
    %at = tile.ptr_add %base, %offset : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %y = tile.gather %at : tensor<128x64x!tile.ptr<f16>> -> tensor<128x64xf16>
    %x = tile.load %b[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<64x128xf16>, tensor<128x64xf16> -> !s
    scf.yield %d : !s
  }
  tile.store %sum, %c[%c0, %c0] : !s, !tile.view<?x?xf32>
}

// The places are what the loop itself writes.
// CHECK-LABEL: @places_written
// CHECK: tile.gather {{.*}} -> tensor<64x64xf16>
tile.kernel @places_written(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !s
  %iota = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) {
    %id = tile.load %ids[%i] : !tile.view<?xi32> -> tensor<64xi32>
    %column = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %starts = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x64xi32>
    %base = tile.splat %a : !tile.ptr<f16> -> !p
    %offset = arith.addi %starts, %columns : tensor<64x64xi32>
    %at = tile.ptr_add %base, %offset : !p, tensor<64x64xi32>
    %x = tile.gather %at : !p -> !x
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> !x
    %d = tile.dot %x, %y, %s : !x, !x -> !s
    tile.store %iota, %ids[%i] : tensor<64xi32>, !tile.view<?xi32>
    scf.yield %d : !s
  }
  tile.store %sum, %c[%c0, %c0] : !s, !tile.view<?x?xf32>
}

// What the kernel writes may not be loaded ahead.
// CHECK-LABEL: @written
// CHECK: tile.gather
tile.kernel @written(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !s
  %id = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %column = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %base = tile.splat %a : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
  %starts = tile.ptr_add %base, %column : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %all = tile.broadcast %starts : tensor<64x1x!tile.ptr<f16>> -> !p
  %iota = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = tile.ptr_add %all, %columns : !p, tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) {
    %x = tile.gather %at : !p -> !x
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> !x
    %d = tile.dot %x, %y, %s : !x, !x -> !s
    scf.yield %d : !s
  }
  %narrow = tile.cast %sum : !s -> !x
  tile.scatter %narrow, %at : !x, !p
}

// Of tf32, the unit of products takes operands only as they go along the sum, and copies turn nothing: rows that go
// along it are loaded, rows of the sum's places stay.
// CHECK-LABEL: @along_the_sum
// CHECK: %[[A:.*]] = tile.load %{{.*}} rows %{{.*}} -> tensor<64x64xf32>
// CHECK: %[[B:.*]] = tile.gather %{{.*}} -> tensor<64x64xf32>
// CHECK: tile.dot %[[A]], %[[B]]
tile.kernel @along_the_sum(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !s
  %id = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %column = tile.expand_dims %id, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %iota = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) {
    %base_a = tile.splat %a : !tile.ptr<f32> -> tensor<64x1x!tile.ptr<f32>>
    %starts_a = tile.ptr_add %base_a, %column : tensor<64x1x!tile.ptr<f32>>, tensor<64x1xi32>
    %all_a = tile.broadcast %starts_a : tensor<64x1x!tile.ptr<f32>> -> tensor<64x64x!tile.ptr<f32>>
    %at_a = tile.ptr_add %all_a, %columns : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %x = tile.gather %at_a : tensor<64x64x!tile.ptr<f32>> -> !s
    %base_b = tile.splat %b : !tile.ptr<f32> -> tensor<64x1x!tile.ptr<f32>>
    %starts_b = tile.ptr_add %base_b, %column : tensor<64x1x!tile.ptr<f32>>, tensor<64x1xi32>
    %all_b = tile.broadcast %starts_b : tensor<64x1x!tile.ptr<f32>> -> tensor<64x64x!tile.ptr<f32>>
    %at_b = tile.ptr_add %all_b, %columns : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %y = tile.gather %at_b : tensor<64x64x!tile.ptr<f32>> -> !s
    %d = tile.dot %x, %y, %s {tf32} : !s, !s -> !s
    scf.yield %d : !s
  }
  tile.store %sum, %c[%c0, %c0] : !s, !tile.view<?x?xf32>
}
