// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --cse | FileCheck %s

// Sixteen places within 768 have one row, and columns that follow one another.
// CHECK-LABEL: tile.kernel @joined
// CHECK: tile.parallel
// CHECK-DAG: %[[COLUMN:.*]] = arith.remsi %{{.*}}, %c768_i32 : i32
// CHECK-DAG: %[[ROW:.*]] = arith.divsi %{{.*}}, %c768_i32 : i32
// CHECK-NOT: tile.gather
// CHECK: tile.load %{{.*}} -> tensor<16xbf16>
// CHECK: tile.store %{{.*}} : tensor<16xbf16>
tile.kernel @joined(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>, %count: index) {
  %c16 = arith.constant 16 : i32
  %c768 = arith.constant 768 : i32
  %c1024 = arith.constant 1024 : i32
  tile.parallel (%i) to (%count) {
    %n = arith.index_cast %i : index to i32
    %first = arith.muli %n, %c16 : i32
    %firsts = tile.splat %first : i32 -> tensor<16xi32>
    %iota = tile.iota : tensor<16xi32>
    %at = arith.addi %firsts, %iota : tensor<16xi32>
    %width = tile.splat %c768 : i32 -> tensor<16xi32>
    %column = arith.remsi %at, %width : tensor<16xi32>
    %row = arith.divsi %at, %width : tensor<16xi32>
    %pitch = tile.splat %c1024 : i32 -> tensor<16xi32>
    %begin = arith.muli %row, %pitch : tensor<16xi32>
    %place = arith.addi %begin, %column : tensor<16xi32>
    %base = tile.splat %x : !tile.ptr<bf16> -> tensor<16x!tile.ptr<bf16>>
    %ptr = tile.ptr_add %base, %place : tensor<16x!tile.ptr<bf16>>, tensor<16xi32>
    %value = tile.gather %ptr : tensor<16x!tile.ptr<bf16>> -> tensor<16xbf16>
    %out = tile.splat %y : !tile.ptr<bf16> -> tensor<16x!tile.ptr<bf16>>
    %to = tile.ptr_add %out, %at : tensor<16x!tile.ptr<bf16>>, tensor<16xi32>
    tile.scatter %value, %to : tensor<16xbf16>, tensor<16x!tile.ptr<bf16>>
  }
}

// -----

// Shifts and bits, which round down for negative numbers, too: no sign is asked.
// CHECK-LABEL: tile.kernel @bits
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK: tile.parallel
// CHECK-DAG: arith.andi %{{.*}}, %c63_i32 : i32
// CHECK-DAG: arith.shrsi %{{.*}}, %c6_i32 : i32
// CHECK-NOT: arith.andi %{{.*}} : tensor
// CHECK-NOT: arith.shrsi %{{.*}} : tensor
// CHECK: tile.scatter
tile.kernel @bits(%y: !tile.ptr<i32>, %z: !tile.ptr<i32>, %n: i32, %count: index) {
  %c32 = arith.constant 32 : i32
  %c6 = arith.constant dense<6> : tensor<32xi32>
  %c63 = arith.constant dense<63> : tensor<32xi32>
  %c8 = arith.constant dense<8> : tensor<32xi32>
  tile.parallel (%i) to (%count) {
    %first = arith.muli %n, %c32 : i32
    %firsts = tile.splat %first : i32 -> tensor<32xi32>
    %iota = tile.iota : tensor<32xi32>
    %at = arith.addi %firsts, %iota : tensor<32xi32>
    %low = arith.andi %at, %c63 : tensor<32xi32>
    %high = arith.shrsi %at, %c6 : tensor<32xi32>
    %mixed = arith.xori %low, %high : tensor<32xi32>
    %out = tile.splat %y : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
    %to = tile.ptr_add %out, %mixed : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
    tile.scatter %mixed, %to : tensor<32xi32>, tensor<32x!tile.ptr<i32>>
  }
}

// -----

// Equal numbers of any sign are divided once.
// CHECK-LABEL: tile.kernel @equal
// CHECK: %[[ONE:.*]] = arith.divsi %{{.*}}, %c3_i32 : i32
// CHECK: tile.splat %[[ONE]]
// CHECK-NOT: arith.divsi
tile.kernel @equal(%y: !tile.ptr<i32>, %n: i32, %count: index) {
  %c3 = arith.constant dense<3> : tensor<8xi32>
  tile.parallel (%i) to (%count) {
    %all = tile.splat %n : i32 -> tensor<8xi32>
    %third = arith.divsi %all, %c3 : tensor<8xi32>
    %iota = tile.iota : tensor<8xi32>
    %mixed = arith.xori %third, %iota : tensor<8xi32>
    %out = tile.splat %y : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
    %to = tile.ptr_add %out, %mixed : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    tile.scatter %mixed, %to : tensor<8xi32>, tensor<8x!tile.ptr<i32>>
  }
}
