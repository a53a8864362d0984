// RUN: heddle compile --check-protocol=false %s -o - | FileCheck %s
// How wgmma finds its operands: registers, and both orders in shared memory.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 16]>
#opa = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0, 0, 8], tile = [64, 16], rep = [1, 2]>
!acc = tensor<64x128xf32, #acc>
!flight = !hopper.flight<!acc>
!ra = tensor<64x32xbf16, #opa>
!a = !hopper.smem<64x32xbf16, order = [1, 0], swizzle = 64>
!b = !hopper.smem<32x128xbf16, order = [1, 0], swizzle = 128>
!v = !tile.view<?x?xf32>
// CHECK-LABEL: .entry operands(
hopper.kernel @operands(%c: !v) source "operands" threads 128 shared 12288 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 4096 : !b

    // Of shared memory's address a descriptor has 14 bits, whatever the block; the
    // only process that multiplies holds them.
    // CHECK: mov.u32 base, heddle_shared;
    // CHECK-NEXT: shr.u32 base, base, 4;
    // CHECK-NEXT: and.b32 [[BITS:%r[0-9]+]], base, 16383;
    // CHECK: redux.sync.or.b32 [[BASE:%r[0-9]+]], [[BITS]], 0xffffffff;

    // Fragments: whole matrices, two steps of 16.
    // CHECK-COUNT-2: ldmatrix.sync.aligned.m8n8.x4.shared.b16
    %ra = hopper.local_load %a : !a -> !ra
    // b: mode 1, boxes of 32 rows x 128 B = 256 units, groups of rows 64 units.
    // CHECK: add.s32 [[TILE:%r[0-9]+]], [[BASE]], 256;
    // CHECK: or.b32 [[B:%r[0-9]+]], [[TILE]], 16777216;
    // From registers, b transposed; the accumulators need no value before.
    // CHECK: setp.ne.b32 keep, 0, 0;
    // CHECK-NEXT: mov.b32 high_b, 1073741888;
    // CHECK: add.u32 low, [[B]], 0;
    // CHECK-NEXT: mov.b64 b, {low, high_b};
    // CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, b, keep, 1, 1, 1;
    // Sixteen rows of b further on: 2048 B = 128 units.
    // CHECK: add.u32 low, [[B]], 128;
    // CHECK-NEXT: mov.b64 b, {low, high_b};
    // CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, b, keep, 1, 1, 1;
    // CHECK: wgmma.commit_group
    %f = hopper.wgmma %ra, %b : !ra, !b -> !flight

    // From shared memory.
    // a: swizzle mode 2, 8 rows x 64 B between groups of rows: 512 B = 32 units.
    // CHECK: or.b32 [[A:%r[0-9]+]], {{.*}}, 65536;
    // CHECK: mov.b32 high_a, 2147483680;
    // CHECK: add.u32 low, [[A]], 0;
    // CHECK-NEXT: mov.b64 a, {low, high_a};
    // CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}}, a, b, keep, 1, 1, 0, 1;
    %g = hopper.wgmma %a, %b, %f : !flight : !a, !b -> !flight
    // CHECK: wgmma.wait_group.sync.aligned 0;
    %d = hopper.wgmma_wait %g pending 0 : !flight -> !acc
    hopper.global_store %d, %c[%c0, %c0] : !acc, !v
  }
}
