// RUN: heddle-opt %s --split-input-file --tile-write-counted --canonicalize --cse | FileCheck %s

// Two loops count rows beside their own numbers, the second from where it begins: what is
// written with the loops' numbers is the same in both.
// CHECK-LABEL: tile.kernel @rows
// CHECK: scf.for %[[K:.*]] = %c0 to %mid step %c64 {
// CHECK: %[[FIRST:.*]] = arith.index_cast %first : i32 to index
// CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %[[K]] : index
// CHECK: %[[ROW:.*]] = arith.index_cast %[[AT]] : index to i32
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[ROW]] : i32 to index
// CHECK: tile.load %x[%[[PLACE]], %c0]
// CHECK: scf.for %[[L:.*]] = %mid to %end step %c64 {
// CHECK: %[[AGAIN:.*]] = arith.index_cast %first : i32 to index
// CHECK: arith.addi %[[AGAIN]], %[[L]] : index
tile.kernel @rows(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %first: i32, %mid: index, %end: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c64_i32 = arith.constant 64 : i32
  tile.parallel (%i) to (%count) {
    %a = scf.for %k = %c0 to %mid step %c64 iter_args(%row = %first) -> (i32) {
      %place = arith.index_cast %row : i32 to index
      %v = tile.load %x[%place, %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
      tile.store %v, %y[%k, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
      %next = arith.addi %row, %c64_i32 : i32
      scf.yield %next : i32
    }
    %number = arith.index_cast %mid : index to i32
    %second = arith.addi %first, %number : i32
    %b = scf.for %k = %mid to %end step %c64 iter_args(%row = %second) -> (i32) {
      %place = arith.index_cast %row : i32 to index
      %v = tile.load %x[%place, %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
      tile.store %v, %y[%k, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
      %next = arith.addi %row, %c64_i32 : i32
      scf.yield %next : i32
    }
  }
}

// -----

// What is added is another number each time, or is 64 bits wide, where 32 may have wrapped.
// CHECK-LABEL: tile.kernel @stays
// CHECK: iter_args({{.*}} = %first, {{.*}} = %wide)
tile.kernel @stays(%x: !tile.ptr<i32>, %first: i32, %wide: i64, %end: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  tile.parallel (%i) to (%count) {
    scf.for %k = %c0 to %end step %c1 iter_args(%sum = %first, %n = %wide) -> (i32, i64) {
      %at = tile.ptr_add %x, %n : !tile.ptr<i32>, i64
      tile.scatter %sum, %at : i32, !tile.ptr<i32>
      %more = tile.gather %x : !tile.ptr<i32> -> i32
      %next = arith.addi %sum, %more : i32
      %after = arith.addi %n, %one : i64
      scf.yield %next, %after : i32, i64
    }
  }
}
