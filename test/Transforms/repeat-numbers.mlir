// RUN: heddle-opt %s --split-input-file --tile-repeat-numbers --cse | FileCheck %s

// Where a loop ends is the longest of some rows, and which matrix it reads is how many groups end in front: each process
// computes both from rows of its own. The row that the epilogue reads as well is one process's.
// CHECK-LABEL: tile.kernel @steers
// CHECK: tile.gather %{{.*}} : tensor<64x!tile.ptr<i32>> -> tensor<64xi32>
// CHECK: %[[L:.*]] = tile.gather %{{.*}} {sched.repeated} : tensor<64x!tile.ptr<i32>> -> tensor<64xi32>
// CHECK: %[[MOST:.*]] = tile.reduce %[[L]] axis 0 {sched.repeated} : tensor<64xi32> -> i32
// CHECK: %[[IN:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} {sched.repeated} : tensor<64xi32>
// CHECK: %[[ONES:.*]] = arith.extui %[[IN]] {sched.repeated} : tensor<64xi1> to tensor<64xi32>
// CHECK: tile.reduce %[[ONES]] axis 0 {sched.repeated} : tensor<64xi32> -> i32
tile.kernel @steers(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?x?xf16>, %lengths: !tile.ptr<i32>, %ends: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %rows: !tile.view<?xi32>, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %place = tile.iota : tensor<64xi32>
    %all = tile.splat %lengths : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
    %addresses = tile.ptr_add %all, %place : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %length = tile.gather %addresses : tensor<64x!tile.ptr<i32>> -> tensor<64xi32>
    %most = tile.reduce %length axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {
      %r = arith.maxsi %p, %q : i32
      tile.yield %r : i32
    }
    %to = arith.index_cast %most : i32 to index
    %all2 = tile.splat %ends : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
    %addresses2 = tile.ptr_add %all2, %place : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %end = tile.gather %addresses2 : tensor<64x!tile.ptr<i32>> -> tensor<64xi32>
    %mine = arith.index_cast %i : index to i32
    %here = tile.splat %mine : i32 -> tensor<64xi32>
    %in = arith.cmpi sle, %end, %here : tensor<64xi32>
    %ones = arith.extui %in : tensor<64xi1> to tensor<64xi32>
    %group = tile.reduce %ones axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {
      %r = arith.addi %p, %q : i32
      tile.yield %r : i32
    }
    %g = arith.index_cast %group : i32 to index
    %sum = scf.for %c = %c0 to %to step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%g, %c, %c0] : !tile.view<?x?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    tile.store %length, %rows[%i] : tensor<64xi32>, !tile.view<?xi32>
  }
}
