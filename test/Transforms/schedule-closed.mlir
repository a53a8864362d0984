// RUN: heddle-opt %s --step-to-sched | FileCheck %s
// A process of its own makes an operand, and the search for that is content with the first
// schedule of its interval. It began to compute the gates 30 iterations before anybody reads
// them, and the table, which overlaps at most 32, did not take it (plan-number). Launches make the views.

// CHECK: sched.process "work.1"
// CHECK: sched.table "loop" ii {{[0-9]+}}
// CHECK: sched.entry "select" on "alu" start {{[0-9]?[0-9]?[0-9]?[0-9]}} latency
// CHECK: sched.entry "absf" on "alu" start {{[0-9]?[0-9]?[0-9]?[0-9]}} latency
// CHECK: sched.entry "dot_4" {{.*}} start {{[0-9]?[0-9]?[0-9]?[0-9]}} latency {{.*}} in "work.1"
module attributes {sched.or_one_process} {
  tile.kernel @kernel(%q_ptr: !tile.ptr<f16>, %k_ptr: !tile.ptr<f16>, %v_ptr: !tile.ptr<f16>, %g_ptr: !tile.ptr<f32>, %p_ptr: !tile.ptr<i32>, %w_ptr: !tile.ptr<i32>, %o_ptr: !tile.ptr<f32>, %s_ptr: !tile.ptr<f32>, %t: i32, %stride_h: i32, %scale: f32, %grid_x: i32) {
    %c64_i64 = arith.constant 64 : i64
    %c32_i64 = arith.constant 32 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = arith.index_cast %grid_x : i32 to index
    %rows = arith.index_cast %t : i32 to index
    %k = tile.make_view %k_ptr, [%rows, %c32], [%c32, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %v = tile.make_view %v_ptr, [%rows, %c64], [%c64, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %q = tile.make_view %q_ptr, [%rows, %c32], [%c32, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %1 = tile.make_view %s_ptr, [%c32, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    tile.parallel (%arg0) to (%0) {
      %2 = tile.splat %cst_0 : f32 -> tensor<32x64xf32>
      %3 = tile.splat %cst : f32 -> tensor<32x64xf32>
      %4 = tile.splat %cst_0 : f32 -> tensor<64xf32>
      %5 = tile.splat %cst_0 : f32 -> tensor<64x64xf32>
      %6 = tile.ptr_add %w_ptr, %c1_i32 : !tile.ptr<i32>, i32
      %7 = tile.gather %6 : !tile.ptr<i32> -> i32
      %8 = tile.iota : tensor<64xi32>
      %9 = arith.index_cast %7 : i32 to index
      %10 = scf.for %arg1 = %c0 to %9 step %c64 iter_args(%arg2 = %2) -> (tensor<32x64xf32>) {
        %11 = arith.index_cast %arg1 : index to i32
        %12 = tile.splat %11 : i32 -> tensor<64xi32>
        %13 = arith.addi %12, %8 : tensor<64xi32>
        %14 = tile.expand_dims %13, 1 : tensor<64xi32> -> tensor<64x1xi32>
        %15 = arith.index_cast %arg1 : index to i64
        %16 = arith.muli %15, %c32_i64 : i64
        %17 = tile.ptr_add %k_ptr, %16 : !tile.ptr<f16>, i64
        %18 = arith.extsi %7 : i32 to i64
        %19 = arith.subi %18, %15 : i64
        %20 = arith.minsi %19, %c64_i64 : i64
        %21 = arith.maxsi %20, %c0_i64 : i64
        %22 = arith.index_cast %21 : i64 to index
        %24 = tile.load %k[%arg1, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
        %25 = arith.muli %15, %c64_i64 : i64
        %26 = tile.ptr_add %v_ptr, %25 : !tile.ptr<f16>, i64
        %28 = tile.load %v[%arg1, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %29 = tile.ptr_add %q_ptr, %16 : !tile.ptr<f16>, i64
        %31 = tile.load %q[%arg1, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
        %32 = tile.trans %24, [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
        %33 = tile.dot %31, %32, %5 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
        %34 = tile.expand_dims %13, 0 : tensor<64xi32> -> tensor<1x64xi32>
        %35 = tile.broadcast %14 : tensor<64x1xi32> -> tensor<64x64xi32>
        %36 = tile.broadcast %34 : tensor<1x64xi32> -> tensor<64x64xi32>
        %37 = arith.cmpi sge, %35, %36 : tensor<64x64xi32>
        %38 = arith.select %37, %33, %5 : tensor<64x64xi1>, tensor<64x64xf32>
        %39 = tile.cast %arg2 : tensor<32x64xf32> -> tensor<32x64xf16>
        %40 = tile.dot %31, %39, %5 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
        %41 = tile.cast %38 : tensor<64x64xf32> -> tensor<64x64xf16>
        %42 = tile.dot %41, %28, %40 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        %43 = tile.ptr_add %o_ptr, %25 : !tile.ptr<f32>, i64
        %44 = tile.make_view %43, [%22, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
        tile.store %42, %44[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
        %45 = tile.ptr_add %g_ptr, %15 : !tile.ptr<f32>, i64
        %46 = tile.make_view %45, [%22], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
        %47 = tile.load %46[%c0] : !tile.view<?xf32> -> tensor<64xf32>
        %48 = math.absf %47 : tensor<64xf32>
        %49 = arith.subf %4, %48 : tensor<64xf32>
        %50 = math.exp2 %49 : tensor<64xf32>
        %51 = arith.mulf %arg2, %3 : tensor<32x64xf32>
        %52 = tile.expand_dims %50, 1 : tensor<64xf32> -> tensor<64x1xf32>
        %53 = tile.cast %28 : tensor<64x64xf16> -> tensor<64x64xf32>
        %54 = tile.broadcast %52 : tensor<64x1xf32> -> tensor<64x64xf32>
        %55 = arith.mulf %53, %54 : tensor<64x64xf32>
        %56 = tile.cast %55 : tensor<64x64xf32> -> tensor<64x64xf16>
        %57 = tile.dot %32, %56, %51 : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
        scf.yield %57 : tensor<32x64xf32>
      }
      tile.store %10, %1[%c0, %c0] : tensor<32x64xf32>, !tile.view<?x?xf32>
    }
  }
}
