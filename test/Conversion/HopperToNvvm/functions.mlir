// RUN: heddle-opt %s --hopper-to-nvvm | FileCheck %s
// Functions of single precision without calls; narrow types compute in f32.

#lanes = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
!t = tensor<128xf32, #lanes>
!h = tensor<128xbf16, #lanes>
!v = !tile.view<?xf32>
!w = !tile.view<?xbf16>
// CHECK-LABEL: llvm.func @functions
hopper.kernel @functions(%x: !v, %y: !v, %z: !w) source "functions" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "all" warps 0 + 4 registers 0 {
    %t0 = hopper.global_load %x[%c0] : !v -> !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
    %t1 = math.exp %t0 : !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"
    %t2 = math.log %t1 : !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"
    %t3 = math.rsqrt %t2 : !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"
    %t4 = math.sqrt %t3 : !t
    // CHECK: llvm.intr.fabs
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
    // CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
    %t5 = math.tanh %t4 : !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
    // CHECK-NOT: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
    // CHECK: llvm.intr.copysign
    %t6 = math.erf %t5 : !t
    // CHECK: llvm.intr.roundeven
    // CHECK: llvm.call_intrinsic "llvm.nvvm.sin.approx.ftz.f"
    %t7 = math.sin %t6 : !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.cos.approx.ftz.f"
    %t8 = math.cos %t7 : !t
    // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"
    %t9 = arith.divf %t8, %t0 : !t
    hopper.global_store %t9, %y[%c0] : !t, !v
    %h0 = tile.cast %t9 : !t -> !h
    // CHECK: llvm.fpext {{.*}} : bf16 to f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
    // CHECK: llvm.fptrunc {{.*}} : f32 to bf16
    %h1 = math.exp2 %h0 : !h
    hopper.global_store %h1, %z[%c0] : !h, !w
    // CHECK-NOT: llvm.call @
  }
}
