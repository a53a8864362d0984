// RUN: heddle-opt %s --ttir-to-tile | FileCheck %s
// What the kernels of kernels.py do not have.

// CHECK-LABEL: tile.kernel @rest
// CHECK-SAME: %x: !tile.ptr<f32>, %d: !tile.view<?x?xf32>, %n: i32, %grid_x: i32, %grid_z: i32)
tt.func public @rest(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %d: !tt.tensordesc<1x16xf32>,
                     %d.shape.0: i32, %d.shape.1: i32, %d.stride.0: i64, %d.stride.1: i64,
                     %n: i32) attributes {noinline = false} {
  // An extent of a descriptor of the host is its view's.
  // CHECK: %[[ROWS:.*]] = tile.dim %d, 0
  // CHECK: %[[ROWS_I32:.*]] = arith.index_cast %[[ROWS]] : index to i32
  // CHECK: tile.parallel (%[[Z:.*]], %[[X:.*]]) to
  // CHECK: %[[PZ:.*]] = arith.index_cast %[[Z]] : index to i32
  %pid = tt.get_program_id z : i32
  // CHECK: arith.addi %[[PZ]], %grid_z : i32
  %count = tt.get_num_programs z : i32
  %all = arith.addi %pid, %count : i32
  // CHECK: arith.addi %{{.*}}, %[[ROWS_I32]]
  %more = arith.addi %all, %d.shape.0 : i32
  // CHECK: tile.iota : tensor<16xi32>
  // CHECK: arith.constant 4 : i32
  // CHECK: arith.addi {{.*}} : tensor<16xi32>
  %range = tt.make_range {end = 20 : i32, start = 4 : i32} : tensor<16xi32>
  // CHECK: tile.load %d[%{{.*}}, %{{.*}}] : !tile.view<?x?xf32> -> tensor<1x16xf32>
  // CHECK: tile.reshape {{.*}} : tensor<1x16xf32> -> tensor<16xf32>
  %row = tt.descriptor_load %d[%pid, %n] evictionPolicy = evict_first : !tt.tensordesc<1x16xf32> -> tensor<16xf32>
  // CHECK: tile.view_gather %d
  %rows = tt.descriptor_gather %d[%range, %n] : (!tt.tensordesc<1x16xf32>, tensor<16xi32>, i32) -> tensor<16x16xf32>
  // CHECK: tile.view_scatter
  tt.descriptor_scatter %d[%range, %n], %rows : !tt.tensordesc<1x16xf32>, tensor<16xi32>, i32, tensor<16x16xf32>
  // CHECK: tile.reshape {{.*}} : tensor<16xf32> -> tensor<1x16xf32>
  // CHECK: tile.view_reduce fadd
  tt.descriptor_reduce add, %d[%pid, %n], %row : !tt.tensordesc<1x16xf32>, tensor<16xf32>
  // CHECK: arith.maximumf
  // CHECK: arith.minimumf
  %clamped = tt.clampf %row, %row, %row, propagateNan = all : tensor<16xf32>
  // CHECK: arith.truncf {{.*}} toward_zero : tensor<16xf32> to tensor<16xbf16>
  %cut = tt.fp_to_fp %clamped, rounding = rtz : tensor<16xf32> -> tensor<16xbf16>
  // CHECK: tile.cast {{.*}} : tensor<16xbf16> -> tensor<16xf32>
  %wide = arith.extf %cut : tensor<16xbf16> to tensor<16xf32>
  // CHECK: tile.ptr_to_int
  %number = tt.ptr_to_int %x : !tt.ptr<f32> -> i64
  // CHECK: tile.int_to_ptr
  %again = tt.int_to_ptr %number : i64 -> !tt.ptr<f32>
  // CHECK: tile.ptr_cast
  %as_int = tt.bitcast %again : !tt.ptr<f32> -> !tt.ptr<i32>
  // CHECK: tile.gather {{.*}} : !tile.ptr<i32> -> i32
  %bits = tt.load %as_int cacheModifier = ca {isVolatile = false} : !tt.ptr<i32>
  // CHECK: arith.bitcast {{.*}} : i32 to f32
  %float = tt.bitcast %bits : i32 -> f32
  // CHECK: arith.constant 0 : i32
  %any = ub.poison : i32
  // CHECK: tile.histogram {{.*}} mask
  %true = arith.constant dense<true> : tensor<16xi1>
  %counts = tt.histogram %range, %true : tensor<16xi32> -> tensor<8xi32>
  // CHECK: tile.assert {{.*}}, "small" : tensor<16xi1>
  tt.assert %true, "small" : tensor<16xi1>
  %float_tile = tt.splat %float : f32 -> tensor<1xf32>
  // CHECK: tile.unsplat
  %one = tt.reshape %float_tile allow_reorder : tensor<1xf32> -> tensor<1x1xf32>
  %only = tt.unsplat %one : tensor<1x1xf32>
  // CHECK: tile.scatter {{.*}} : f32, !tile.ptr<f32>
  tt.store %x, %only : !tt.ptr<f32>
  tt.return
}
