// RUN: heddle-opt %s --split-input-file --tile-recover-views --verify-diagnostics | FileCheck %s

// Each of these stays a gather, with what is missing.
// CHECK-COUNT-5: tile.gather

tile.kernel @stride(%x: !tile.ptr<f32>, %stride: i32, %count: index) {
  tile.parallel (%i) to (%count) {
    %iota = tile.iota : tensor<64xi32>
    %strides = tile.splat %stride : i32 -> tensor<64xi32>
    %offs = arith.muli %iota, %strides : tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{these addresses are not read as a box of an array: no axis is known to have stride 1; strides are stride [not-a-view]}}
    %v = tile.gather %at : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
  }
}

// -----

tile.kernel @table(%x: !tile.ptr<f32>, %rows: !tile.view<?xi32>, %count: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%count) {
    %offs = tile.load %rows[%c0] : !tile.view<?xi32> -> tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{they are no sums of multiples of the element's place [not-a-view]}}
    %v = tile.gather %at : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
  }
}

// -----

tile.kernel @below(%x: !tile.ptr<f32>, %count: index) {
  tile.parallel (%i) to (%count) {
    %c3 = arith.constant 3 : i32
    %iota = tile.iota : tensor<64xi32>
    %threes = tile.splat %c3 : i32 -> tensor<64xi32>
    %mask = arith.cmpi sge, %iota, %threes : tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %iota : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{the mask is more than an upper bound along single axes [not-a-view]}}
    %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
  }
}

// -----

tile.kernel @negative(%x: !tile.ptr<f32>, %from: !tile.ptr<i32>, %n: i32, %count: index) {
  tile.parallel (%i) to (%count) {
    %first = tile.gather %from : !tile.ptr<i32> -> i32
    %iota = tile.iota : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %offs = arith.addi %firsts, %iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %offs, %ends : tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{nothing says that the place along axis 0 is not negative [not-a-view]}}
    %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
  }
}

// -----

// The rows behind the last are those from the first on, and all are summed.
tile.kernel @wrapped(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %count: index) {
  %c64 = arith.constant 64 : i32
  tile.parallel (%i) to (%count) {
    %number = arith.index_cast %i : index to i32
    %first = arith.muli %number, %c64 : i32
    %iota = tile.iota : tensor<64xi32>
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %offs = arith.addi %firsts, %iota : tensor<64xi32>
    %ends = tile.splat %n : i32 -> tensor<64xi32>
    %wrapped = arith.remsi %offs, %ends : tensor<64xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %wrapped : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{they wrap around, and what is read twice is used [not-a-view]}}
    %v = tile.gather %at : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    %s = tile.reduce %v axis 0 : tensor<64xf32> -> f32 combine (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    tile.scatter %s, %y : f32, !tile.ptr<f32>
  }
}

// -----

// Which instances read is a condition on another number than the one that says where.
// CHECK-LABEL: tile.kernel @another
// CHECK: tile.gather
tile.kernel @another(%x: !tile.ptr<f32>, %y: !tile.view<?x?xf32>, %stride: i32, %members: i32, %count: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i, %j) to (%count, %count) {
    %member = arith.index_cast %i : index to i32
    %number = arith.index_cast %j : index to i32
    %alive = arith.cmpi slt, %number, %members : i32
    %mask = tile.splat %alive : i1 -> tensor<64xi1>
    %offset = arith.muli %member, %stride : i32
    %p = tile.ptr_add %x, %offset : !tile.ptr<f32>, i32
    %base = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %lane = tile.iota : tensor<64xi32>
    %at = tile.ptr_add %base, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{the mask has a condition that is the same for all elements [not-a-view]}}
    %v = tile.gather %at mask %mask : tensor<64xi1> : tensor<64x!tile.ptr<f32>> -> tensor<64xf32>
    tile.store %v, %y[%i, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
  }
}
