// RUN: heddle-opt %s --aref-to-hopper --split-input-file | FileCheck %s

// Columns of rows of 96 go in runs of 32: a thread takes 8 neighbours at once,
// and lanes go on along them. Only memory is asked for, and the other variant
// asks for nothing.
// CHECK-LABEL: hopper.kernel @columns(
// CHECK-SAME: tma [] multiples [0, 1]
// CHECK: tile.gather {{.*}} {hopper.vector = 8 : i64} : tensor<1024x4x!tile.ptr<bf16>, #hopper.layout<lane = [8, 0, 16, 0, 32, 0, 64, 0, 128, 0], warp = [0, 1, 0, 2], reg = [1, 0, 2, 0, 4, 0]
// CHECK: tile.scatter {{.*}} {hopper.vector = 8 : i64}
// CHECK-LABEL: hopper.kernel @columns_general(
// CHECK-SAME: tma [] {
// CHECK-NOT: hopper.vector
// CHECK: tile.gather {{.*}} : tensor<1024x4x!tile.ptr<bf16>, #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [0, 1, 0, 2]
tile.kernel @columns(%p: !tile.ptr<bf16>, %q: !tile.ptr<bf16>, %n: i32) {
  aref.process "main" warps 4 registers 0 {
    %i = tile.iota : tensor<1024xi32>
    %c96 = arith.constant dense<96> : tensor<1024xi32>
    %column = arith.remsi %i, %c96 : tensor<1024xi32>
    %columns = tile.expand_dims %column, 1 : tensor<1024xi32> -> tensor<1024x1xi32>
    %all = tile.broadcast %columns : tensor<1024x1xi32> -> tensor<1024x4xi32>
    %step = tile.iota : tensor<4xi32>
    %c192 = arith.constant dense<192> : tensor<4xi32>
    %far = arith.muli %step, %c192 : tensor<4xi32>
    %row = tile.expand_dims %far, 0 : tensor<4xi32> -> tensor<1x4xi32>
    %rows = tile.broadcast %row : tensor<1x4xi32> -> tensor<1024x4xi32>
    %place = arith.addi %all, %rows : tensor<1024x4xi32>
    %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<1024x4x!tile.ptr<bf16>>
    %qs = tile.splat %q : !tile.ptr<bf16> -> tensor<1024x4x!tile.ptr<bf16>>
    %from = tile.ptr_add %ps, %place : tensor<1024x4x!tile.ptr<bf16>>, tensor<1024x4xi32>
    %to = tile.ptr_add %qs, %place : tensor<1024x4x!tile.ptr<bf16>>, tensor<1024x4xi32>
    %v = tile.gather %from : tensor<1024x4x!tile.ptr<bf16>> -> tensor<1024x4xbf16>
    tile.scatter %v, %to : tensor<1024x4xbf16>, tensor<1024x4x!tile.ptr<bf16>>
  }
}

// -----

// A mask by an argument asks for that, too; one by a number in memory cuts runs.
// CHECK-LABEL: hopper.kernel @masked(
// CHECK-SAME: multiples [0, 2]
// CHECK: tile.gather {{.*}} {hopper.vector = 4 : i64}
// CHECK: tile.gather
// CHECK-NOT: hopper.vector
// CHECK-SAME: -> tensor<512xf32
// CHECK-LABEL: hopper.kernel @masked_general(
tile.kernel @masked(%p: !tile.ptr<f32>, %o: !tile.view<?xf32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %i = tile.iota : tensor<512xi32>
    %c96 = arith.constant dense<96> : tensor<512xi32>
    %column = arith.remsi %i, %c96 : tensor<512xi32>
    %ns = tile.splat %n : i32 -> tensor<512xi32>
    %exists = arith.cmpi slt, %i, %ns : tensor<512xi32>
    %end = arith.addi %n, %m : i32
    %c1 = arith.constant 1 : i32
    %odd = arith.addi %end, %c1 : i32
    %ends = tile.splat %odd : i32 -> tensor<512xi32>
    %cut = arith.cmpi slt, %i, %ends : tensor<512xi32>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
    %from = tile.ptr_add %ps, %column : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
    %a = tile.gather %from mask %exists : tensor<512xi1> : tensor<512x!tile.ptr<f32>> -> tensor<512xf32>
    %b = tile.gather %from mask %cut : tensor<512xi1> : tensor<512x!tile.ptr<f32>> -> tensor<512xf32>
    %sum = arith.addf %a, %b : tensor<512xf32>
    tile.store %sum, %o[%c0] : tensor<512xf32>, !tile.view<?xf32>
  }
}

// -----

// What all of a thread's neighbours share is read once, and nothing is asked for.
// A gather of runs chooses the layout for one without.
// CHECK-LABEL: hopper.kernel @shared(
// CHECK-SAME: multiples [1]
// CHECK: tile.gather {{.*}} {hopper.repeats = 4 : i64} : {{.*}} -> tensor<512xf32
// CHECK: tile.gather {{.*}} {hopper.vector = 4 : i64}
// CHECK-LABEL: hopper.kernel @shared_general(
// CHECK-NOT: hopper.repeats
tile.kernel @shared(%s: !tile.ptr<f32>, %p: !tile.ptr<f32>) {
  aref.process "main" warps 4 registers 0 {
    %i = tile.iota : tensor<512xi32>
    %c64 = arith.constant dense<64> : tensor<512xi32>
    %c96 = arith.constant dense<96> : tensor<512xi32>
    %group = arith.divsi %i, %c64 : tensor<512xi32>
    %column = arith.remsi %i, %c96 : tensor<512xi32>
    %ss = tile.splat %s : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
    %at = tile.ptr_add %ss, %group : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
    %from = tile.ptr_add %ps, %column : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
    %scale = tile.gather %at : tensor<512x!tile.ptr<f32>> -> tensor<512xf32>
    %v = tile.gather %from : tensor<512x!tile.ptr<f32>> -> tensor<512xf32>
    %x = arith.mulf %scale, %v : tensor<512xf32>
    tile.scatter %x, %from : tensor<512xf32>, tensor<512x!tile.ptr<f32>>
  }
}

// -----

// A row that is 5 elements long has no runs, and the kernel has one variant.
// CHECK-LABEL: hopper.kernel @odd(
// CHECK-SAME: tma [] {
// CHECK-NOT: hopper.vector
// CHECK-NOT: hopper.kernel
tile.kernel @odd(%p: !tile.ptr<f32>) {
  aref.process "main" warps 4 registers 0 {
    %i = tile.iota : tensor<512xi32>
    %c5 = arith.constant dense<5> : tensor<512xi32>
    %column = arith.remsi %i, %c5 : tensor<512xi32>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
    %from = tile.ptr_add %ps, %column : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
    %v = tile.gather %from : tensor<512x!tile.ptr<f32>> -> tensor<512xf32>
    tile.scatter %v, %from : tensor<512xf32>, tensor<512x!tile.ptr<f32>>
  }
}

// -----

// Rows that numbers name. By element they would be stored by TMA, through shared
// memory; the variant for runs, which stands in front, stores them as they lie.
// CHECK-LABEL: hopper.kernel @table(
// CHECK-SAME: shared 0 tma [] rows [2] multiples [0]
// CHECK: tile.gather {{.*}} {hopper.vector = 8 : i64}
// CHECK: hopper.global_store {{.*}} vector 8
// CHECK-LABEL: hopper.kernel @table_elements(
// CHECK-SAME: tma [2] {
// CHECK-NOT: hopper.vector
// CHECK: hopper.tma_store
// CHECK-LABEL: hopper.kernel @table_plain_stores(
// CHECK-SAME: tma [] {
// CHECK-NOT: hopper.vector
tile.kernel @table(%p: !tile.ptr<f16>, %w: !tile.view<?xi32>, %o: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %words = tile.load %w[%c0] : !tile.view<?xi32> -> tensor<64xi32>
    %c128 = arith.constant dense<128> : tensor<64xi32>
    %far = arith.muli %words, %c128 : tensor<64xi32>
    %row = tile.expand_dims %far, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
    %i = tile.iota : tensor<64xi32>
    %column = tile.expand_dims %i, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
    %place = arith.addi %rows, %columns : tensor<64x64xi32>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %from = tile.ptr_add %ps, %place : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v = tile.gather %from : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
    tile.store %v, %o[%c0, %c0] : tensor<64x64xf16>, !tile.view<?x?xf16>
  }
}
