// RUN: heddle-opt %s --hopper-to-nvvm --split-input-file | FileCheck %s

// Where a thread reads and writes follows from its number. What follows from a
// number that is read again, in a loop, is computed there and held nowhere: for
// copies with few registers, and for what a loop with sums adds to memory.

// CHECK-LABEL: llvm.func @few_registers
// CHECK: llvm.cond_br
// CHECK: llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, %tid.x;"
// CHECK: ld.global.b16
hopper.kernel @few_registers(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 8208 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 4 empty 8200 x 4
  hopper.process "load" warps 0 + 4 registers 56 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    scf.for %i = %c0 to %c9 step %c1 {
      hopper.copy %v[%i, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    }
  }
}

// -----

// CHECK-LABEL: llvm.func @more_registers
// CHECK-NOT: "mov.u32 $0, %tid.x;"
// CHECK: ld.global.b16
hopper.kernel @more_registers(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 8208 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 4 empty 8200 x 4
  hopper.process "load" warps 0 + 4 registers 88 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
  }
}

// -----

#few = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
// CHECK-LABEL: llvm.func @added
// CHECK: llvm.cond_br
// CHECK: %[[THREAD:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, %tid.x;"
// CHECK: llvm.and %[[THREAD]]
// CHECK: atom.relaxed.gpu.global.add.f32
hopper.kernel @added(%v: !tile.view<?xf32>, %x: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %t = tile.splat %x : f32 -> tensor<128xf32, #few>
    scf.for %i = %c0 to %c9 step %c1 {
      tile.view_reduce fadd, %t, %v[%i] : tensor<128xf32, #few>, !tile.view<?xf32>
    }
  }
}
