// RUN: heddle-opt %s --split-input-file --tile-narrow-gathers --canonicalize --cse | FileCheck %s

// Scales of 128 numbers in a row, for 64 rows of a tile: every row of a step is in one group.
// CHECK-LABEL: tile.kernel @one_group
// CHECK: scf.for %[[K:.*]] = %c0 to
// CHECK: %[[G:.*]] = arith.divsi
// CHECK-SAME: tensor<1x1xi32>
// CHECK: %[[S:.*]] = tile.gather %{{.*}} : tensor<1x32x!tile.ptr<f16>> -> tensor<1x32xf16>
// CHECK: tile.broadcast %[[S]] : tensor<1x32xf16> -> tensor<64x32xf16>
tile.kernel @one_group(%s: !tile.ptr<f16>, %o: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%n) {
    %rows = tile.iota : tensor<64xi32>
    %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %columns = tile.iota : tensor<32xi32>
    %row = tile.expand_dims %columns, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %by = arith.constant dense<128> : tensor<64x1xi32>
    %many = arith.constant dense<77> : tensor<1x32xi32>
    scf.for %k = %c0 to %n step %c64 {
      %first = arith.index_cast %k : index to i32
      %start = tile.splat %first : i32 -> tensor<64x1xi32>
      %place = arith.addi %column, %start : tensor<64x1xi32>
      %group = arith.divsi %place, %by : tensor<64x1xi32>
      %offset = arith.muli %row, %many : tensor<1x32xi32>
      %wide = tile.broadcast %offset : tensor<1x32xi32> -> tensor<64x32xi32>
      %tall = tile.broadcast %group : tensor<64x1xi32> -> tensor<64x32xi32>
      %at = arith.addi %wide, %tall : tensor<64x32xi32>
      %base = tile.splat %s : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
      %p = tile.ptr_add %base, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
      %v = tile.gather %p : tensor<64x32x!tile.ptr<f16>> -> tensor<64x32xf16>
      tile.store %v, %o[%c0, %c0] : tensor<64x32xf16>, !tile.view<?x?xf16>
    }
  }
}

// -----

// Steps of 48 begin anywhere in a group of 64, so that 48 numbers may have two quotients; the
// second mask is another one for each row.
// CHECK-LABEL: tile.kernel @two_groups
// CHECK: tile.gather %{{.*}} : tensor<48x32x!tile.ptr<f16>> -> tensor<48x32xf16>
// CHECK: tile.gather %{{.*}} mask %{{.*}} : tensor<48x32x!tile.ptr<f16>> -> tensor<48x32xf16>
tile.kernel @two_groups(%s: !tile.ptr<f16>, %o: !tile.view<?x?xf16>, %n: index, %left: i32) {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  tile.parallel (%i) to (%n) {
    %rows = tile.iota : tensor<48xi32>
    %column = tile.expand_dims %rows, 1 : tensor<48xi32> -> tensor<48x1xi32>
    %columns = tile.iota : tensor<32xi32>
    %row = tile.expand_dims %columns, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %by = arith.constant dense<64> : tensor<48x1xi32>
    %zero = arith.constant dense<0.0> : tensor<48x32xf16>
    scf.for %k = %c0 to %n step %c48 {
      %first = arith.index_cast %k : index to i32
      %start = tile.splat %first : i32 -> tensor<48x1xi32>
      %place = arith.addi %column, %start : tensor<48x1xi32>
      %group = arith.divsi %place, %by : tensor<48x1xi32>
      %wide = tile.broadcast %row : tensor<1x32xi32> -> tensor<48x32xi32>
      %tall = tile.broadcast %group : tensor<48x1xi32> -> tensor<48x32xi32>
      %at = arith.addi %wide, %tall : tensor<48x32xi32>
      %base = tile.splat %s : !tile.ptr<f16> -> tensor<48x32x!tile.ptr<f16>>
      %p = tile.ptr_add %base, %at : tensor<48x32x!tile.ptr<f16>>, tensor<48x32xi32>
      %v = tile.gather %p : tensor<48x32x!tile.ptr<f16>> -> tensor<48x32xf16>
      %end = tile.splat %left : i32 -> tensor<48x1xi32>
      %inside = arith.cmpi slt, %column, %end : tensor<48x1xi32>
      %mask = tile.broadcast %inside : tensor<48x1xi1> -> tensor<48x32xi1>
      %q = tile.ptr_add %base, %wide : tensor<48x32x!tile.ptr<f16>>, tensor<48x32xi32>
      %w = tile.gather %q mask %mask : tensor<48x32xi1> other %zero : tensor<48x32xf16> : tensor<48x32x!tile.ptr<f16>> -> tensor<48x32xf16>
      tile.store %v, %o[%c0, %c0] : tensor<48x32xf16>, !tile.view<?x?xf16>
      tile.store %w, %o[%c48, %c0] : tensor<48x32xf16>, !tile.view<?x?xf16>
    }
  }
}

// -----

// A start that may be negative: -128 / 128 is -1, and -127 / 128 is 0.
// CHECK-LABEL: tile.kernel @any_sign
// CHECK: tile.gather %{{.*}} : tensor<64x32x!tile.ptr<f16>> -> tensor<64x32xf16>
tile.kernel @any_sign(%s: !tile.ptr<f16>, %o: !tile.view<?x?xf16>, %n: index, %m: i32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : i32
  tile.parallel (%i) to (%n) {
    %rows = tile.iota : tensor<64xi32>
    %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %columns = tile.iota : tensor<32xi32>
    %row = tile.expand_dims %columns, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %by = arith.constant dense<128> : tensor<64x1xi32>
    %first = arith.muli %m, %c64 : i32
    %start = tile.splat %first : i32 -> tensor<64x1xi32>
    %place = arith.addi %column, %start : tensor<64x1xi32>
    %group = arith.divsi %place, %by : tensor<64x1xi32>
    %wide = tile.broadcast %row : tensor<1x32xi32> -> tensor<64x32xi32>
    %tall = tile.broadcast %group : tensor<64x1xi32> -> tensor<64x32xi32>
    %at = arith.addi %wide, %tall : tensor<64x32xi32>
    %base = tile.splat %s : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p = tile.ptr_add %base, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %v = tile.gather %p : tensor<64x32x!tile.ptr<f16>> -> tensor<64x32xf16>
    tile.store %v, %o[%c0, %c0] : tensor<64x32xf16>, !tile.view<?x?xf16>
  }
}

// -----

// Steps so long that their sum leaves 64 bits are in no group; nor are rows whose columns are so far
// apart that their numbers wrap and are negative.
// CHECK-LABEL: tile.kernel @far
// CHECK: tile.gather %{{.*}} : tensor<16x1x!tile.ptr<f16>> -> tensor<16x1xf16>
tile.kernel @far(%s: !tile.ptr<f16>, %o: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %rows = tile.iota : tensor<16xi64>
    %column = tile.expand_dims %rows, 1 : tensor<16xi64> -> tensor<16x1xi64>
    %far = arith.constant dense<1152921504606846976> : tensor<16x1xi64>
    %places = arith.muli %column, %far : tensor<16x1xi64>
    %by = arith.constant dense<4> : tensor<16x1xi64>
    %group = arith.divsi %places, %by : tensor<16x1xi64>
    %at = tile.broadcast %group : tensor<16x1xi64> -> tensor<16x32xi64>
    %base = tile.splat %s : !tile.ptr<f16> -> tensor<16x32x!tile.ptr<f16>>
    %p = tile.ptr_add %base, %at : tensor<16x32x!tile.ptr<f16>>, tensor<16x32xi64>
    %v = tile.gather %p : tensor<16x32x!tile.ptr<f16>> -> tensor<16x32xf16>
    tile.store %v, %o[%c0, %c0] : tensor<16x32xf16>, !tile.view<?x?xf16>
  }
}

// CHECK-LABEL: tile.kernel @wrapped
// CHECK: tile.gather %{{.*}} : tensor<64x32x!tile.ptr<f16>> -> tensor<64x32xf16>
tile.kernel @wrapped(%s: !tile.ptr<f16>, %o: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %rows = tile.iota : tensor<64xi32>
    %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %tall = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x32xi32>
    %columns = tile.iota : tensor<32xi32>
    %row = tile.expand_dims %columns, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %far = arith.constant dense<134217728> : tensor<1x32xi32>
    %steps = arith.muli %row, %far : tensor<1x32xi32>
    %wide = tile.broadcast %steps : tensor<1x32xi32> -> tensor<64x32xi32>
    %places = arith.addi %wide, %tall : tensor<64x32xi32>
    %by = arith.constant dense<128> : tensor<64x32xi32>
    %group = arith.divsi %places, %by : tensor<64x32xi32>
    %few = arith.constant dense<1023> : tensor<64x32xi32>
    %at = arith.andi %group, %few : tensor<64x32xi32>
    %base = tile.splat %s : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p = tile.ptr_add %base, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %v = tile.gather %p : tensor<64x32x!tile.ptr<f16>> -> tensor<64x32xf16>
    tile.store %v, %o[%c0, %c0] : tensor<64x32xf16>, !tile.view<?x?xf16>
  }
}
