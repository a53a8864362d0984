// RUN: heddle compile --check-protocol=false %s -o - | FileCheck %s
// Products of 8-bit floats take 32 of them a step, of two formats at will, and
// cannot exchange the axes of an operand; the left one may be in registers.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf8E4M3FN, order = [1, 0], swizzle = 64>
!b = !hopper.smem<64x64xf8E5M2, order = [0, 1], swizzle = 64>
!v = !tile.view<?x?xf32>
// CHECK-LABEL: .entry operands(
hopper.kernel @operands(%c: !v) source "operands" threads 128 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 4096 : !b
    // CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e5m2 {{.*}}, a, b, keep, 1, 1;
    // CHECK: wgmma.commit_group
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    hopper.global_store %d, %c[%c0, %c0] : !acc, !v
  }
}

#fragments = #hopper.layout<lane = [0, 4, 0, 8, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 0, 2, 8, 0, 0, 16], tile = [64, 32], rep = [1, 2]>
!bytes = tensor<64x64xf8E4M3FN, #fragments>
// CHECK-LABEL: .entry registers(
hopper.kernel @registers(%x: !tile.view<?x?xf8E4M3FN>, %c: !v) source "registers" threads 128 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.global_load %x[%c0, %c0] : !tile.view<?x?xf8E4M3FN> -> !bytes
    %b = hopper.buffer "b" at 4096 : !b
    // CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e5m2 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, b, keep, 1, 1;
    // CHECK: wgmma.commit_group
    %f = hopper.wgmma %a, %b : !bytes, !b -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    hopper.global_store %d, %c[%c0, %c0] : !acc, !v
  }
}
