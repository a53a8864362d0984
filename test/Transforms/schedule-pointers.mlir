// RUN: heddle-opt %s --sched-name-ops --sched-schedule | FileCheck %s

// A loop that multiplies what it reads through pointers is scheduled like any other.
tile.kernel @rows(%a: !tile.view<?x?xf16>, %b: !tile.ptr<f16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %base = tile.splat %b : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %sum = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %k32 = arith.index_cast %kk : index to i32
    %steps = tile.splat %k32 : i32 -> tensor<64x64xi32>
    %at = tile.ptr_add %base, %steps : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.gather %at : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
// CHECK: sched.plan @rows
// CHECK: sched.table "loop" ii
// CHECK: sched.entry "gather" on
