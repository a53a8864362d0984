// RUN: heddle-opt %s | heddle-opt | FileCheck %s

!acc = tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!half = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!right = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>

// CHECK: hopper.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>) source "k" threads 256 shared 16416 tma [0, 1] {
hopper.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>) source "k" threads 256 shared 16416 tma [0, 1] {
  %i = arith.constant 0 : index
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  // CHECK: hopper.grid %{{.*}}
  hopper.grid %n
  // CHECK: hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  // CHECK: hopper.process "load" warps 0 + 4 registers 40 elected {
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: hopper.wait "r" "empty"[%{{.*}}] phase %{{.*}}
    hopper.wait "r" "empty"[%c0] phase %c1
    // CHECK: hopper.expect "r"[%{{.*}}] bytes 16384
    hopper.expect "r"[%c0] bytes 16384
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    // CHECK: hopper.tma_load %a[%{{.*}}, %{{.*}}] to %{{.*}}, "r"[%{{.*}}]
    hopper.tma_load %a[%i, %i] to %x, "r"[%c0] : !tile.view<?x?xf16>, !half
    hopper.tma_load %b[%i, %i] to %y, "r"[%c0] : !tile.view<?x?xf16, #tile.order<0, 1>>, !right
  }
  // CHECK: hopper.process "mma" warps 4 + 4 registers 200 {
  hopper.process "mma" warps 4 + 4 registers 200 {
    %c0 = arith.constant 0 : i32
    hopper.wait "r" "full"[%c0] phase %c0
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    // CHECK: %[[F:.*]] = hopper.wgmma %{{.*}}, %{{.*}} : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    %f = hopper.wgmma %x, %y : !half, !right -> !hopper.flight<!acc>
    // CHECK: %[[G:.*]] = hopper.wgmma %{{.*}}, %{{.*}}, %[[F]] :
    %g = hopper.wgmma %x, %y, %f : !hopper.flight<!acc> : !half, !right -> !hopper.flight<!acc>
    // CHECK: %[[V:.*]] = hopper.wgmma_wait %[[G]] pending 0
    %v = hopper.wgmma_wait %g pending 0 : !hopper.flight<!acc> -> !acc
    // CHECK: hopper.arrive "r" "empty"[%{{.*}}] after %[[V]]
    hopper.arrive "r" "empty"[%c0] after %v : !acc
    // CHECK: hopper.global_store %[[V]], %c[%{{.*}}, %{{.*}}]
    hopper.global_store %v, %c[%i, %i] : !acc, !tile.view<?x?xf32>
  }
}

// Runs of pixels, and boxes with steps.
// CHECK-LABEL: hopper.kernel @runs
hopper.kernel @runs(%x: !tile.view<?x?x?x?xf16>) source "runs" threads 128 shared 16384 tma [0] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %h = tile.dim %x, 1 : !tile.view<?x?x?x?xf16>
  %w = tile.dim %x, 2 : !tile.view<?x?x?x?xf16>
  hopper.grid %h
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %t = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // CHECK: hopper.tma_load %x[{{.*}}] run[%{{.*}}, %{{.*}}] first[%{{.*}}, %{{.*}}] count[%{{.*}}, %{{.*}}] to %{{.*}}, "r"[%{{.*}}] {steps = array<i64: 1, 2, 2, 1>}
    hopper.tma_load %x[%c0, %c0, %c0, %c0] run [%c0, %c0] first [%c0, %c0] count [%w, %h]
      to %t, "r"[%i0] {steps = array<i64: 1, 2, 2, 1>}
      : !tile.view<?x?x?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // CHECK: hopper.tma_load %x[{{.*}}] to %{{.*}}, "r"[%{{.*}}] {steps = array<i64: 1, 1, 2, 1>}
    hopper.tma_load %x[%c0, %c0, %c0, %c0] to %t, "r"[%i0] {steps = array<i64: 1, 1, 2, 1>}
      : !tile.view<?x?x?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
  }
}
