// RUN: heddle-opt %s --hopper-to-nvvm --split-input-file --verify-diagnostics | FileCheck %s

// Masked accesses touch nothing where the mask is false; of the threads with the
// same element one writes it.
#own = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
#few = #hopper.layout<lane = [1, 2, 4, 0, 0], warp = [0, 0], reg = [], tile = [8], rep = [1]>

// CHECK-LABEL: llvm.func @masked
// CHECK: inline_asm {{.*}}"mov.b16 $0, 0;\0A\09@$1 ld.global.b16 $0, [$2];"
// CHECK: llvm.select
// CHECK: inline_asm {{.*}}"@$0 st.global.b16 [$1], $2;"
hopper.kernel @masked(%p: !tile.ptr<f16>, %n: i32) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %base = tile.splat %p : !tile.ptr<f16> -> tensor<128x!tile.ptr<f16>, #own>
    %offset = tile.splat %n : i32 -> tensor<128xi32, #own>
    %zero = arith.constant dense<0> : tensor<128xi32, #own>
    %other = arith.constant dense<1.0> : tensor<128xf16, #own>
    %m = arith.cmpi sgt, %offset, %zero : tensor<128xi32, #own>
    %at = tile.ptr_add %base, %offset : tensor<128x!tile.ptr<f16>, #own>, tensor<128xi32, #own>
    %v = tile.gather %at mask %m : tensor<128xi1, #own> other %other : tensor<128xf16, #own>
      : tensor<128x!tile.ptr<f16>, #own> -> tensor<128xf16, #own>
    tile.scatter %v, %at mask %m : tensor<128xi1, #own> : tensor<128xf16, #own>, tensor<128x!tile.ptr<f16>, #own>
  }
}

// -----

// Lanes 8 to 31 and warps 1 to 3 repeat the elements: they do not add.
#few = #hopper.layout<lane = [1, 2, 4, 0, 0], warp = [0, 0], reg = [], tile = [8], rep = [1]>
// CHECK-LABEL: llvm.func @replicas
// CHECK: %[[LANES:.*]] = llvm.mlir.constant(24 : i32)
// CHECK-NEXT: llvm.and %{{.*}}, %[[LANES]]
// CHECK: %[[WARPS:.*]] = llvm.mlir.constant(3 : i32)
// CHECK-NEXT: llvm.and %{{.*}}, %[[WARPS]]
// CHECK: "mov.b32 $0, 0;\0A\09@$1 atom.release.cta.global.add.f32 $0, [$2], $3;"
hopper.kernel @replicas(%p: !tile.ptr<f32>, %x: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %at = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>, #few>
    %v = tile.splat %x : f32 -> tensor<8xf32, #few>
    %old = tile.atomic_rmw fadd, release, cta, %at, %v : tensor<8x!tile.ptr<f32>, #few>, tensor<8xf32, #few> -> tensor<8xf32, #few>
  }
}

// -----

#few = #hopper.layout<lane = [1, 2, 4, 0, 0], warp = [0, 0], reg = [], tile = [8], rep = [1]>
hopper.kernel @read_by_all(%p: !tile.ptr<i32>, %x: i32) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %at = tile.splat %p : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>, #few>
    %v = tile.splat %x : i32 -> tensor<8xi32, #few>
    // expected-error @+1 {{gives old values that every warp of process 'p' reads, but only one warp of 4 has them; leave the result unused, or update at least 128 elements}}
    %old = tile.atomic_rmw add, relaxed, gpu, %at, %v : tensor<8x!tile.ptr<i32>, #few>, tensor<8xi32, #few> -> tensor<8xi32, #few>
    tile.scatter %old, %at : tensor<8xi32, #few>, tensor<8x!tile.ptr<i32>, #few>
  }
}

// -----

hopper.kernel @narrow(%p: !tile.ptr<i16>, %x: i16) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{updates elements of 'i16' by add, for which sm_90a has no atomic instruction; use integers of 32 or 64 bits}}
    %old = tile.atomic_rmw add, relaxed, gpu, %p, %x : !tile.ptr<i16>, i16 -> i16
  }
}

// -----

// CHECK-LABEL: llvm.func @checked
// CHECK: "@$0 trap;"
hopper.kernel @checked(%x: i1) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    tile.assert %x, "x holds" : i1
  }
}
