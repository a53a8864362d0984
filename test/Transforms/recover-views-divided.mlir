// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --cse | FileCheck %s

// Eight numbers share a word at k / 8: each word is read once. The mask ends with a
// word if k is a multiple of 8, which a launch checks.
// CHECK-LABEL: tile.kernel @words
// CHECK-DAG: %[[VIEW:.*]] = tile.make_view %b, [%{{.*}}, %{{.*}}], [%{{.*}}, %c1]
// CHECK-DAG: tile.assert assumed %{{.*}}, "k is a multiple of 8"
// CHECK: scf.for
// CHECK-NOT: tile.gather
// CHECK: %[[LOADED:.*]] = tile.load %[[VIEW]][%{{.*}}, %c0] : !tile.view<?x?xi32> -> tensor<8x64xi32>
// CHECK: %[[GROUPS:.*]] = tile.expand_dims %[[LOADED]], 1 : tensor<8x64xi32> -> tensor<8x1x64xi32>
// CHECK: %[[ALL:.*]] = tile.broadcast %[[GROUPS]] : tensor<8x1x64xi32> -> tensor<8x8x64xi32>
// CHECK: tile.reshape %[[ALL]] : tensor<8x8x64xi32> -> tensor<64x64xi32>
tile.kernel @words(%a: !tile.view<?x?xf16>, %b: !tile.ptr<i32>, %c: !tile.view<?x?xf32>, %k: i32, %stride: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : i32
  %f0 = arith.constant 0.0 : f32
  %end = arith.index_cast %k : i32 to index
  tile.parallel (%i) to (%count) {
    %iota = tile.iota : tensor<64xi32>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %kk = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %at = arith.index_cast %kk : index to i32
      %firsts = tile.splat %at : i32 -> tensor<64xi32>
      %rows = arith.addi %firsts, %iota : tensor<64xi32>
      %eights = tile.splat %c8 : i32 -> tensor<64xi32>
      %words = arith.divsi %rows, %eights : tensor<64xi32>
      %words2 = tile.expand_dims %words, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %strides = tile.splat %stride : i32 -> tensor<64x1xi32>
      %lines = arith.muli %words2, %strides : tensor<64x1xi32>
      %columns = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %lines2 = tile.broadcast %lines : tensor<64x1xi32> -> tensor<64x64xi32>
      %columns2 = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
      %offs = arith.addi %lines2, %columns2 : tensor<64x64xi32>
      %base = tile.splat %b : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
      %from = tile.ptr_add %base, %offs : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
      %ends = tile.splat %k : i32 -> tensor<64xi32>
      %inside = arith.cmpi slt, %rows, %ends : tensor<64xi32>
      %inside2 = tile.expand_dims %inside, 1 : tensor<64xi1> -> tensor<64x1xi1>
      %mask = tile.broadcast %inside2 : tensor<64x1xi1> -> tensor<64x64xi1>
      %w = tile.gather %from mask %mask : tensor<64x64xi1> : tensor<64x64x!tile.ptr<i32>> -> tensor<64x64xi32>
      %f = arith.sitofp %w : tensor<64x64xi32> to tensor<64x64xf16>
      %d = tile.dot %x, %f, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Keys in groups of eight: quotient and remainder are places along axes of their own. A
// pointer that the loop moves on is written with the loop's number.
// CHECK-LABEL: tile.kernel @groups
// CHECK: tile.make_view %b
// CHECK: scf.for
// CHECK-NOT: tile.gather
// CHECK: %[[LOADED:.*]] = tile.load %{{.*}} -> tensor<8x8x64xf16>
// CHECK: tile.reshape %[[LOADED]] : tensor<8x8x64xf16> -> tensor<64x64xf16>
tile.kernel @groups(%a: !tile.view<?x?xf16>, %b: !tile.ptr<f16>, %c: !tile.view<?x?xf32>, %k: index, %stride: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : i32
  %c7 = arith.constant 7 : i32
  %c3 = arith.constant 3 : i32
  %c512 = arith.constant 512 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %iota = tile.iota : tensor<64xi32>
    %threes = tile.splat %c3 : i32 -> tensor<64xi32>
    %sevens = tile.splat %c7 : i32 -> tensor<64xi32>
    %group = arith.shrsi %iota, %threes : tensor<64xi32>
    %rest = arith.andi %iota, %sevens : tensor<64xi32>
    %strides = tile.splat %stride : i32 -> tensor<64xi32>
    %lines = arith.muli %group, %strides : tensor<64xi32>
    %rows = arith.addi %lines, %rest : tensor<64xi32>
    %rows2 = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %eights = tile.splat %c8 : i32 -> tensor<64xi32>
    %apart = arith.muli %iota, %eights : tensor<64xi32>
    %columns = tile.expand_dims %apart, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %rows3 = tile.broadcast %rows2 : tensor<64x1xi32> -> tensor<64x64xi32>
    %columns2 = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
    %offs = arith.addi %rows3, %columns2 : tensor<64x64xi32>
    %base = tile.splat %b : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %first = tile.ptr_add %base, %offs : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %step = tile.splat %c512 : i32 -> tensor<64x64xi32>
    %sum:2 = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero, %from = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) {
      %x = tile.load %a[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %w = tile.gather %from : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
      %d = tile.dot %x, %w, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %next = tile.ptr_add %from, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
    }
    tile.store %sum#0, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
