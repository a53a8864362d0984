// RUN: heddle compile --check-protocol=false %s -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: not grep -E '\{(%%r[0-9]+),.*\}, \{[^}]*\1[,}]' %t.ptx
// A fragment that equals what a sum begins with has registers of its own: the first step of a
// product writes its sums, and the second one reads its fragments.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 16]>
#opa = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0, 0, 8], tile = [64, 16], rep = [1, 2]>
!acc = tensor<64x128xf32, #acc>
!flight = !hopper.flight<!acc>
!ra = tensor<64x32xbf16, #opa>
!b = !hopper.smem<32x128xbf16, order = [1, 0], swizzle = 128>
!v = !tile.view<?x?xf32>
// CHECK-LABEL: .entry operands_apart(
hopper.kernel @operands_apart(%c: !v) source "operands_apart" threads 128 shared 12288 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 4096 : !b
    %ra = tile.splat %none : bf16 -> !ra
    %sums = tile.splat %zero : f32 -> !acc
    // CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}}, {%r{{[0-9]+}}, {{.*}}}, b, keep, 1, 1, 1;
    %f = hopper.wgmma %ra, %b, %sums : !acc : !ra, !b -> !flight
    %d = hopper.wgmma_wait %f pending 0 : !flight -> !acc
    hopper.global_store %d, %c[%c0, %c0] : !acc, !v
  }
}
