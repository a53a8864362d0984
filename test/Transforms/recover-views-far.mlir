// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --cse --verify-diagnostics | FileCheck %s

// Where memory says where rows begin and end, a view with two axes more serves all
// sequences: a far one of the negated stride, and one along which the end is placed.

// The stride is an assumption, the beginning a question, and the end is cut to the tile.
// CHECK-LABEL: tile.kernel @packed
// CHECK: %[[UP:.*]] = arith.muli %[[STRIDE:.*]], %c-1 : index
// CHECK: %[[VIEW:.*]] = tile.make_view %{{.*}}, [%c2147483632, %c2147483632, %c1073741824, %{{.*}}], [%[[UP]], %[[STRIDE]], %[[STRIDE]], %c1] {far_axis = 0 : i64}
// CHECK: tile.assert assumed %{{.*}}, "a is read at a multiple of stride from 0 to 2^31 - 17"
// CHECK: scf.for %[[K:.*]] =
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %{{.*}}
// CHECK: %[[CUT:.*]] = arith.minsi %{{.*}}, %c64_i64 : i64
// CHECK: %[[POSITIVE:.*]] = arith.maxsi %[[CUT]], %c0_i64 : i64
// CHECK: %[[ROWS:.*]] = arith.index_cast %[[POSITIVE]] : i64 to index
// CHECK: %[[BEHIND:.*]] = arith.addi %{{.*}}, %[[ROWS]] : index
// CHECK: %[[BEFORE:.*]] = arith.subi %c1073741824, %[[ROWS]] : index
// CHECK: tile.load %[[VIEW]][%c1073741824, %[[BEHIND]], %[[BEFORE]], %c0]
tile.kernel @packed(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %starts: !tile.ptr<i32>, %stride: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1_i32 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %start = tile.gather %starts : !tile.ptr<i32> -> i32
    %behind = tile.ptr_add %starts, %c1_i32 : !tile.ptr<i32>, i32
    %end = tile.gather %behind : !tile.ptr<i32> -> i32
    %length = arith.subi %end, %start : i32
    %last = arith.index_cast %length : i32 to index
    %numbers = tile.iota : tensor<64xi32>
    %columns2 = tile.expand_dims %numbers, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %columns = tile.broadcast %columns2 : tensor<1x64xi32> -> tensor<64x64xi32>
    %strides = tile.splat %stride : i32 -> tensor<64xi32>
    %base = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %last step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %kk = arith.index_cast %k : index to i32
      %from = tile.splat %kk : i32 -> tensor<64xi32>
      %row = arith.addi %from, %numbers : tensor<64xi32>
      %limit = tile.splat %length : i32 -> tensor<64xi32>
      %in = arith.cmpi slt, %row, %limit : tensor<64xi32>
      %in2 = tile.expand_dims %in, 1 : tensor<64xi1> -> tensor<64x1xi1>
      %mask = tile.broadcast %in2 : tensor<64x1xi1> -> tensor<64x64xi1>
      %first = tile.splat %start : i32 -> tensor<64xi32>
      %place = arith.addi %row, %first : tensor<64xi32>
      %down = arith.muli %place, %strides : tensor<64xi32>
      %down2 = tile.expand_dims %down, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %downs = tile.broadcast %down2 : tensor<64x1xi32> -> tensor<64x64xi32>
      %offs = arith.addi %downs, %columns : tensor<64x64xi32>
      %at = tile.ptr_add %base, %offs : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      %x = tile.gather %at mask %mask : tensor<64x64xi1> : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
