// RUN: heddle-opt %s --split-input-file --tile-hand-on-addresses | FileCheck %s
// What loops hand on stays theirs where it moves on by what an iteration finds, or by other than a sum.

// CHECK-LABEL: tile.kernel @jumps
// CHECK: %[[A:.*]]:3 = scf.for
// CHECK-NOT: ceildivsi
// CHECK: scf.for {{.*}} = %[[A]]#1, %{{.*}} = %[[A]]#2)
tile.kernel @jumps(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %jumps: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %start: i32, %mid: index, %end: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %a, %at, %twice = scf.for %k = %c0 to %mid step %c64 iter_args(%s = %zero, %row = %start, %t = %start) -> (tensor<64x64xf32>, i32, i32) {
      %place = arith.index_cast %row : i32 to index
      %u = tile.load %x[%i, %place] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %v = tile.load %w[%place, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %u, %v, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %where = arith.index_cast %k : index to i64
      %p = tile.ptr_add %jumps, %where : !tile.ptr<i32>, i64
      %jump = tile.gather %p : !tile.ptr<i32> -> i32
      %next = arith.addi %row, %jump : i32
      %more = arith.muli %t, %c2 : i32
      scf.yield %d, %next, %more : tensor<64x64xf32>, i32, i32
    }
    %b, %to, %four = scf.for %k = %mid to %end step %c64 iter_args(%s = %a, %row = %at, %t = %twice) -> (tensor<64x64xf32>, i32, i32) {
      %place = arith.index_cast %row : i32 to index
      %u = tile.load %x[%i, %place] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %v = tile.load %w[%place, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %u, %v, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %more = arith.addi %t, %c2 : i32
      scf.yield %d, %row, %more : tensor<64x64xf32>, i32, i32
    }
    tile.store %b, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
