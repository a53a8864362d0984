// RUN: heddle-opt %s --aref-to-hopper | FileCheck %s
//
// What an epilogue adds takes the accumulators' layout: a bias along columns is
// loaded into the registers that hold its column, a residual tile element by element.

// CHECK-LABEL: hopper.kernel @biased(
// CHECK-SAME: tma [0, 1, 4]
// CHECK: hopper.grid %{{.*}}
// CHECK: hopper.slot "ab"[%{{.*}}] at 0 : !hopper.smem<64x32xbf16, order = [1, 0], swizzle = 64>
// CHECK: hopper.slot "ab"[%{{.*}}] at 4096 : !hopper.smem<32x96xbf16, order = [1, 0], swizzle = 64>
// CHECK: %[[D:.*]] = hopper.wgmma_wait
// CHECK: %[[BIAS:.*]] = hopper.global_load %{{.*}} : !tile.view<?xf32> -> tensor<96xf32, #hopper.layout<lane = [2, 4, 0, 0, 0], warp = [0, 0], reg = [1], tile = [8], rep = [12]>>
// CHECK: %[[ROW:.*]] = tile.expand_dims %[[BIAS]], 0
// CHECK: %[[ROWS:.*]] = tile.broadcast %[[ROW]]
// CHECK: %[[RESIDUAL:.*]] = hopper.global_load %{{.*}} -> tensor<64x96xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0]
// CHECK: arith.addf %[[D]], %[[ROWS]]
// CHECK: arith.addf %{{.*}}, %[[RESIDUAL]]
// f32: 32 columns a chunk; of three chunks the first must wait for the last of the store before.
// CHECK: hopper.buffer "mma.out0" at {{.*}} : !hopper.smem<64x32xf32, order = [1, 0], swizzle = 128>
// CHECK-NEXT: hopper.tma_store_wait 0
// CHECK: hopper.buffer "mma.out1"
// CHECK-NEXT: hopper.tma_store_wait 1
// CHECK: hopper.buffer "mma.out0"
// CHECK-NEXT: hopper.tma_store_wait 1
// CHECK: hopper.kernel @biased_general

tile.kernel @biased(%a: !tile.view<?x?xbf16>, %b: !tile.view<?x?xbf16>, %bias: !tile.view<?xf32>,
                    %residual: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x96xf32>
  %ab = aref.ring "ab" depth 2 : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>
  aref.process "load" warps 4 registers 40 {
    %t0 = aref.first_turn %ab : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>
    %tok, %next = aref.acquire %ab[%t0] : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xbf16> -> tensor<32x96xbf16>
    aref.publish %ab[%tok], %x, %y : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>, tensor<64x32xbf16>, tensor<32x96xbf16>
  }
  aref.process "mma" warps 4 registers 232 {
    %t0 = aref.first_turn %ab : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>
    %tok, %next, %x, %y = aref.get %ab[%t0] : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]> -> tensor<64x32xbf16>, tensor<32x96xbf16>
    %d = tile.dot %x, %y, %zero : tensor<64x32xbf16>, tensor<32x96xbf16> -> tensor<64x96xf32>
    aref.release %ab[%tok] after %d : !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>, tensor<64x96xf32>
    %row = tile.load %bias[%c0] : !tile.view<?xf32> -> tensor<96xf32>
    %row2 = tile.expand_dims %row, 0 : tensor<96xf32> -> tensor<1x96xf32>
    %rows = tile.broadcast %row2 : tensor<1x96xf32> -> tensor<64x96xf32>
    %r = tile.load %residual[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x96xf32>
    %s = arith.addf %d, %rows : tensor<64x96xf32>
    %o = arith.addf %s, %r : tensor<64x96xf32>
    tile.store %o, %c[%c0, %c0] : tensor<64x96xf32>, !tile.view<?x?xf32>
  }
}
