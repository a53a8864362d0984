// RUN: heddle-opt %s --split-input-file --tile-guard-masks --canonicalize --cse | FileCheck %s

// A loop over columns chooses by how many there are: one comparison says whether
// all of the tile's are, and only else is the mask computed.
// CHECK-LABEL: tile.kernel @ragged
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK: %[[END:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: scf.for %[[K:.*]] = %c0 to %[[END]] step %c32
// CHECK-NOT: tile.iota
// CHECK: %[[D:.*]] = tile.dot
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %c32 : index
// CHECK: %[[WHOLE:.*]] = arith.cmpi sle, %[[NEXT]], %[[END]] : index
// CHECK: %[[R:.*]] = scf.if %[[WHOLE]] -> (tensor<64x32xf32>) {
// CHECK-NEXT: scf.yield %[[D]]
// CHECK-NEXT: } else {
// CHECK: %[[MASK:.*]] = tile.broadcast
// CHECK: %[[CHOSEN:.*]] = arith.select %[[MASK]], %[[D]]
// CHECK: scf.yield %[[CHOSEN]]
// CHECK: tile.reduce %[[R]]
tile.kernel @ragged(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %out: !tile.view<?xf32>, %n: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %end = arith.index_cast %n : i32 to index
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %lows = tile.splat %low : f32 -> tensor<64x32xf32>
    %first = tile.splat %low : f32 -> tensor<64xf32>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x16xf16>
    %most = scf.for %k = %c0 to %end step %c32 iter_args(%m = %first) -> (tensor<64xf32>) {
      %y = tile.load %b[%c0, %k] : !tile.view<?x?xf16> -> tensor<16x32xf16>
      %number = arith.index_cast %k : index to i32
      %iota = tile.iota : tensor<32xi32>
      %starts = tile.splat %number : i32 -> tensor<32xi32>
      %columns = arith.addi %starts, %iota : tensor<32xi32>
      %ends = tile.splat %n : i32 -> tensor<32xi32>
      %is_column = arith.cmpi slt, %columns, %ends : tensor<32xi32>
      %row = tile.expand_dims %is_column, 0 : tensor<32xi1> -> tensor<1x32xi1>
      %mask = tile.broadcast %row : tensor<1x32xi1> -> tensor<64x32xi1>
      %d = tile.dot %x, %y, %zero : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf32>
      %chosen = arith.select %mask, %d, %lows : tensor<64x32xi1>, tensor<64x32xf32>
      %here = tile.reduce %chosen axis 1 : tensor<64x32xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
        %c = arith.maxnumf %p, %q : f32
        tile.yield %c : f32
      }
      %more = arith.maxnumf %m, %here : tensor<64xf32>
      scf.yield %more : tensor<64xf32>
    }
    tile.store %most, %out[%i] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// A triangle: row i sees columns up to i. All rows see all columns if the first
// sees the last. What is loaded is cast first, because a slot is read at once.
// CHECK-LABEL: tile.kernel @triangle
// CHECK: scf.for %[[K:.*]] = %c0 to
// CHECK: %[[BIAS:.*]] = tile.load %c
// CHECK: %[[D:.*]] = tile.dot
// CHECK: %[[WIDE:.*]] = tile.cast %[[BIAS]]
// CHECK: %[[LAST:.*]] = arith.addi %[[K]], %c32 : index
// CHECK: %[[WHOLE:.*]] = arith.cmpi sle, %[[LAST]], %[[FIRST:.*]] : index
// CHECK: scf.if %[[WHOLE]] -> (tensor<64x32xf32>) {
// CHECK-NEXT: scf.yield %[[WIDE]]
// CHECK: arith.select %{{.*}}, %[[WIDE]], %{{.*}} : tensor<64x32xi1>, tensor<64x32xf32>
tile.kernel @triangle(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %out: !tile.view<?x?xf32>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f16
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %lows = tile.splat %low : f16 -> tensor<64x32xf16>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x16xf16>
    %row_number = arith.index_cast %i : index to i32
    %row_start = arith.muli %row_number, %c64 : i32
    %row_iota = tile.iota : tensor<64xi32>
    %row_starts = tile.splat %row_start : i32 -> tensor<64xi32>
    %rows = arith.addi %row_starts, %row_iota : tensor<64xi32>
    %rows2 = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %all_rows = tile.broadcast %rows2 : tensor<64x1xi32> -> tensor<64x32xi32>
    %sum = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<64x32xf32>) {
      %y = tile.load %b[%c0, %k] : !tile.view<?x?xf16> -> tensor<16x32xf16>
      %bias = tile.load %c[%i, %k] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %number = arith.index_cast %k : index to i32
      %iota = tile.iota : tensor<32xi32>
      %starts = tile.splat %number : i32 -> tensor<32xi32>
      %columns = arith.addi %starts, %iota : tensor<32xi32>
      %columns2 = tile.expand_dims %columns, 0 : tensor<32xi32> -> tensor<1x32xi32>
      %all_columns = tile.broadcast %columns2 : tensor<1x32xi32> -> tensor<64x32xi32>
      %mask = arith.cmpi slt, %all_columns, %all_rows : tensor<64x32xi32>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf32>
      %chosen = arith.select %mask, %bias, %lows : tensor<64x32xi1>, tensor<64x32xf16>
      %wide = tile.cast %chosen : tensor<64x32xf16> -> tensor<64x32xf32>
      %more = arith.addf %d, %wide : tensor<64x32xf32>
      scf.yield %more : tensor<64x32xf32>
    }
    tile.store %sum, %out[%i, %c0] : tensor<64x32xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Left as they are: a mask that no iteration changes, one that memory says, and a
// choice between constants, which would have to be made in either case.
// CHECK-LABEL: tile.kernel @kept
// CHECK-NOT: scf.if
tile.kernel @kept(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %flags: !tile.view<?xi32>, %out: !tile.view<?x?xf32>, %n: i32, %count: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %end = arith.index_cast %n : i32 to index
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %lows = tile.splat %low : f32 -> tensor<64x32xf32>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x16xf16>
    %iota = tile.iota : tensor<32xi32>
    %ends = tile.splat %n : i32 -> tensor<32xi32>
    %row = arith.cmpi slt, %iota, %ends : tensor<32xi32>
    %row2 = tile.expand_dims %row, 0 : tensor<32xi1> -> tensor<1x32xi1>
    %same = tile.broadcast %row2 : tensor<1x32xi1> -> tensor<64x32xi1>
    %sum = scf.for %k = %c0 to %end step %c32 iter_args(%s = %zero) -> (tensor<64x32xf32>) {
      %y = tile.load %b[%c0, %k] : !tile.view<?x?xf16> -> tensor<16x32xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf32>
      %once = arith.select %same, %d, %lows : tensor<64x32xi1>, tensor<64x32xf32>
      %flag = tile.load %flags[%k] : !tile.view<?xi32> -> tensor<32xi32>
      %read = arith.cmpi slt, %flag, %ends : tensor<32xi32>
      %read2 = tile.expand_dims %read, 0 : tensor<32xi1> -> tensor<1x32xi1>
      %said = tile.broadcast %read2 : tensor<1x32xi1> -> tensor<64x32xi1>
      %twice = arith.select %said, %once, %lows : tensor<64x32xi1>, tensor<64x32xf32>
      %number = arith.index_cast %k : index to i32
      %starts = tile.splat %number : i32 -> tensor<32xi32>
      %columns = arith.addi %starts, %iota : tensor<32xi32>
      %is_column = arith.cmpi slt, %columns, %ends : tensor<32xi32>
      %column2 = tile.expand_dims %is_column, 0 : tensor<32xi1> -> tensor<1x32xi1>
      %mask = tile.broadcast %column2 : tensor<1x32xi1> -> tensor<64x32xi1>
      %added = arith.select %mask, %zero, %lows : tensor<64x32xi1>, tensor<64x32xf32>
      %more = arith.addf %twice, %added : tensor<64x32xf32>
      scf.yield %more : tensor<64x32xf32>
    }
    tile.store %sum, %out[%i, %c0] : tensor<64x32xf32>, !tile.view<?x?xf32>
  }
}
