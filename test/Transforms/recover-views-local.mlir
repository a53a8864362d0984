// RUN: heddle-opt %s --split-input-file --tile-recover-views --canonicalize --cse --verify-diagnostics | FileCheck %s

// In a kernel that multiplies in a loop, a box whose ends or strides a launch does
// not know is a view that is made where it is read, of no more than the tile.

// The length is read from memory: the extent is what is left of it, cut to the tile.
// CHECK-LABEL: tile.kernel @length
// CHECK: scf.for
// CHECK: %[[CUT:.*]] = arith.minsi %{{.*}}, %c64_i64 : i64
// CHECK: %[[END:.*]] = arith.maxsi %[[CUT]], %c0_i64 : i64
// CHECK: %[[EXTENT:.*]] = arith.index_cast %[[END]] : i64 to index
// CHECK: tile.make_view %{{.*}}, [%c64, %[[EXTENT]]], [%{{.*}}, %c1]
// CHECK: tile.load %{{.*}}[%c0, %c0]
tile.kernel @length(%a: !tile.ptr<f16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %ends: !tile.ptr<i32>, %stride: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %length = tile.gather %ends : !tile.ptr<i32> -> i32
    %last = arith.index_cast %length : i32 to index
    %rows = tile.iota : tensor<64xi32>
    %strides = tile.splat %stride : i32 -> tensor<64xi32>
    %down = arith.muli %rows, %strides : tensor<64xi32>
    %down2 = tile.expand_dims %down, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %downs = tile.broadcast %down2 : tensor<64x1xi32> -> tensor<64x64xi32>
    %base = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %last step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %kk = arith.index_cast %k : index to i32
      %first = tile.splat %kk : i32 -> tensor<64xi32>
      %place = arith.addi %first, %rows : tensor<64xi32>
      %limit = tile.splat %length : i32 -> tensor<64xi32>
      %in = arith.cmpi slt, %place, %limit : tensor<64xi32>
      %in2 = tile.expand_dims %in, 0 : tensor<64xi1> -> tensor<1x64xi1>
      %mask = tile.broadcast %in2 : tensor<1x64xi1> -> tensor<64x64xi1>
      %place2 = tile.expand_dims %place, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %places = tile.broadcast %place2 : tensor<1x64xi32> -> tensor<64x64xi32>
      %offs = arith.addi %downs, %places : tensor<64x64xi32>
      %at = tile.ptr_add %base, %offs : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      // expected-remark @+1 {{threads copy this tile, because a launch cannot make its view: nothing says that the place along axis 1 is not negative [view-not-at-launch]}}
      %x = tile.gather %at mask %mask : tensor<64x64xi1> : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// No axis has stride 1: neighbours in memory are an axis of one. A lower end moves the
// beginning, and the tile begins before it; a condition of all elements empties the view.
// CHECK-LABEL: tile.kernel @strided
// CHECK: %[[FIRST:.*]] = arith.minsi %{{.*}}, %{{.*}} : i64
// CHECK: arith.subi %c64_i64, %[[FIRST]] : i64
// CHECK: %[[BEFORE:.*]] = arith.subi %c0_i64, %[[FIRST]] : i64
// CHECK: %[[OFFSET:.*]] = arith.index_cast %[[BEFORE]] : i64 to index
// CHECK: %[[VIEW:.*]] = tile.make_view %{{.*}}, [%c1, %{{.*}}], [%c1, %c3] : !tile.ptr<f32> -> !tile.view<?x?xf32, #tile.order<0, 1>>
// CHECK: tile.load %[[VIEW]][%c0, %[[OFFSET]]]
tile.kernel @strided(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %gates: !tile.ptr<f32>, %from: !tile.ptr<i32>, %last: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %last step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%c0, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %first = tile.gather %from : !tile.ptr<i32> -> i32
    %rows = tile.iota : tensor<64xi32>
    %threes = tile.splat %three : i32 -> tensor<64xi32>
    %offs = arith.muli %rows, %threes : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %in = arith.cmpi sge, %rows, %firsts : tensor<64xi32>
    %base = tile.splat %gates : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{because a launch cannot make its view: no axis is known to have stride 1; strides are 3 [view-not-at-launch]}}
    %gate = tile.gather %at mask %in : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %gate2 = tile.expand_dims %gate, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %scales = tile.broadcast %gate2 : tensor<64x1xf32> -> tensor<64x64xf32>
    %scaled = arith.mulf %sum, %scales : tensor<64x64xf32>
    tile.store %scaled, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
