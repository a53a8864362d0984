// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --cse | FileCheck %s

// Places of which some have another quotient than others stay as they are: of a tile that does
// not divide the divisor, of one that begins elsewhere, and of numbers that may be negative, of
// which -1 / 32 is 0 and -32 / 32 is -1.

// CHECK-LABEL: tile.kernel @part
// CHECK: arith.remsi %{{.*}} : tensor<16xi32>
tile.kernel @part(%y: !tile.ptr<i32>, %count: index) {
  %c16 = arith.constant 16 : i32
  %by = arith.constant dense<24> : tensor<16xi32>
  tile.parallel (%i) to (%count) {
    %n = arith.index_cast %i : index to i32
    %first = arith.muli %n, %c16 : i32
    %firsts = tile.splat %first : i32 -> tensor<16xi32>
    %iota = tile.iota : tensor<16xi32>
    %at = arith.addi %firsts, %iota : tensor<16xi32>
    %rest = arith.remsi %at, %by : tensor<16xi32>
    %mixed = arith.xori %rest, %iota : tensor<16xi32>
    %out = tile.splat %y : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
    %to = tile.ptr_add %out, %mixed : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
    tile.scatter %mixed, %to : tensor<16xi32>, tensor<16x!tile.ptr<i32>>
  }
}

// -----

// CHECK-LABEL: tile.kernel @begin
// CHECK: arith.remsi %{{.*}} : tensor<16xi32>
tile.kernel @begin(%y: !tile.ptr<i32>, %count: index) {
  %c16 = arith.constant 16 : i32
  %c8 = arith.constant 8 : i32
  %by = arith.constant dense<32> : tensor<16xi32>
  tile.parallel (%i) to (%count) {
    %n = arith.index_cast %i : index to i32
    %whole = arith.muli %n, %c16 : i32
    %first = arith.addi %whole, %c8 : i32
    %firsts = tile.splat %first : i32 -> tensor<16xi32>
    %iota = tile.iota : tensor<16xi32>
    %at = arith.addi %firsts, %iota : tensor<16xi32>
    %rest = arith.remsi %at, %by : tensor<16xi32>
    %mixed = arith.xori %rest, %iota : tensor<16xi32>
    %out = tile.splat %y : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
    %to = tile.ptr_add %out, %mixed : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
    tile.scatter %mixed, %to : tensor<16xi32>, tensor<16x!tile.ptr<i32>>
  }
}

// -----

// CHECK-LABEL: tile.kernel @sign
// CHECK: arith.divsi %{{.*}} : tensor<16xi32>
tile.kernel @sign(%y: !tile.ptr<i32>, %n: i32, %count: index) {
  %c16 = arith.constant 16 : i32
  %by = arith.constant dense<32> : tensor<16xi32>
  tile.parallel (%i) to (%count) {
    %first = arith.muli %n, %c16 : i32
    %firsts = tile.splat %first : i32 -> tensor<16xi32>
    %iota = tile.iota : tensor<16xi32>
    %at = arith.addi %firsts, %iota : tensor<16xi32>
    %quotient = arith.divsi %at, %by : tensor<16xi32>
    %mixed = arith.xori %quotient, %iota : tensor<16xi32>
    %out = tile.splat %y : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
    %to = tile.ptr_add %out, %mixed : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
    tile.scatter %mixed, %to : tensor<16xi32>, tensor<16x!tile.ptr<i32>>
  }
}
