// RUN: heddle compile %s -o - | FileCheck %s
// Tiles become the registers of a thread; broadcasts and dimensions cost nothing;
// functions use the special function unit; conversions come in pairs.

// CHECK: .entry elementwise(
// CHECK: .param .u64 .ptr .global .align 1 elementwise_param_0,
// CHECK-NEXT: .param .u32 elementwise_param_1,
// CHECK-NEXT: .param .u32 elementwise_param_2,
// CHECK-NEXT: .param .u64 elementwise_param_3,
// CHECK: .param .f32 elementwise_param_10

// Rows l / 4 and l / 4 + 8, columns 2 (l % 4) and the next: four guarded loads.
// CHECK-COUNT-4: @%p{{[0-9]+}} ld.global.b32
// Two columns of the bias serve both rows.
// CHECK-COUNT-2: @%p{{[0-9]+}} ld.global.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-4: mul.rn.f32
// CHECK-COUNT-4: add.rn.f32
// CHECK-COUNT-4: ex2.approx.ftz.f32
// CHECK-COUNT-4: div.full.f32
// CHECK-COUNT-2: cvt.rn.f16x2.f32
// CHECK-COUNT-4: @%p{{[0-9]+}} st.global.b16

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#row = #hopper.layout<lane = [2, 4, 0, 0, 0], warp = [0, 0], reg = [1], tile = [8], rep = [1]>
#one = #hopper.layout<lane = [0, 2, 0, 4, 0, 0, 0, 0, 0, 0], warp = [0, 0, 0, 0], reg = [0, 1], tile = [1, 8], rep = [1, 1]>
!t = tensor<64x8xf32, #acc>
!h = tensor<64x8xf16, #acc>
!r = tensor<8xf32, #row>
!v = !tile.view<?x?xf32>
!w = !tile.view<?xf32>
!o = !tile.view<?x?xf16>
hopper.kernel @elementwise(%x: !v, %bias: !w, %y: !o, %scale: f32) source "elementwise" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "all" warps 0 + 4 registers 0 {
    %t = hopper.global_load %x[%c0, %c0] : !v -> !t
    %b = hopper.global_load %bias[%c0] : !w -> !r
    %e = tile.expand_dims %b, 0 : !r -> tensor<1x8xf32, #one>
    %bb = tile.broadcast %e : tensor<1x8xf32, #one> -> !t
    %s = tile.splat %scale : f32 -> !t
    %p = arith.mulf %t, %s : !t
    %q = arith.addf %p, %bb : !t
    %z = math.exp2 %q : !t
    %d = arith.divf %z, %s : !t
    %h = tile.cast %d : !t -> !h
    hopper.global_store %h, %y[%c0, %c0] : !h, !o
  }
}
