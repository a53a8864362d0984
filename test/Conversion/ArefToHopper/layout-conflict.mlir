// RUN: heddle-opt %s --aref-to-hopper --verify-diagnostics | FileCheck %s
//
// One vector is added to the rows and to the columns of an accumulator. It is
// loaded in the layout of its first user; the other user gets it through shared
// memory. A register operand of the next dot needs only other names.

!ring = !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>

// CHECK-LABEL: hopper.kernel @outer(
tile.kernel @outer(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %v: !tile.view<?xf32>,
                   %c: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %ab = aref.ring "ab" depth 2 : !ring
  aref.process "load" warps 4 registers 24 {
    %t = aref.first_turn %ab : !ring
    %tok, %next = aref.acquire %ab[%t] : !ring
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    aref.publish %ab[%tok], %x, %y : !ring, tensor<64x64xf16>, tensor<64x64xf16>
  }
  // CHECK: hopper.process "mma"
  aref.process "mma" warps 4 registers 160 {
    %t = aref.first_turn %ab : !ring
    %tok, %next, %x, %y = aref.get %ab[%t] : !ring -> tensor<64x64xf16>, tensor<64x64xf16>
    %s = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    // CHECK: %[[V:.*]] = hopper.global_load %{{.*}} -> tensor<64xf32, #hopper.layout<lane = [2, 4, 0, 0, 0]
    %w = tile.load %v[%c0] : !tile.view<?xf32> -> tensor<64xf32>
    %w0 = tile.expand_dims %w, 0 : tensor<64xf32> -> tensor<1x64xf32>
    %wr = tile.broadcast %w0 : tensor<1x64xf32> -> tensor<64x64xf32>
    // CHECK: %[[SCRATCH:.*]] = hopper.buffer "mma.scratch" at 32768 : !hopper.smem<64xf32, order = [0], swizzle = 0>
    // Nobody can be reading the scratch tile before it is written first.
    // CHECK-NEXT: hopper.local_store %[[V]], %[[SCRATCH]]
    // CHECK-NEXT: hopper.sync 1 threads 128
    // CHECK-NEXT: %[[W:.*]] = hopper.local_load %[[SCRATCH]] : {{.*}} -> tensor<64xf32, #hopper.layout<lane = [0, 0, 1, 2, 4]
    // CHECK-NEXT: tile.expand_dims %[[W]], 1
    // expected-remark @+1 {{operand 0 goes through 256 B of shared memory: other warps hold what a thread needs [layout-round-trip]}}
    %w1 = tile.expand_dims %w, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %wc = tile.broadcast %w1 : tensor<64x1xf32> -> tensor<64x64xf32>
    %s1 = arith.addf %s, %wr : tensor<64x64xf32>
    %s2 = arith.addf %s1, %wc : tensor<64x64xf32>
    // CHECK: %[[P:.*]] = tile.cast
    %p = tile.cast %s2 : tensor<64x64xf32> -> tensor<64x64xf16>
    // CHECK: %[[PA:.*]] = hopper.convert_layout %[[P]]
    // CHECK-SAME: -> tensor<64x64xf16, {{.*}}tile = [64, 16], rep = [1, 4]
    // CHECK: hopper.wgmma %[[PA]], %{{[0-9]+}} : tensor
    %o = tile.dot %p, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    aref.release %ab[%tok] after %o : !ring, tensor<64x64xf32>
    %h = tile.cast %o : tensor<64x64xf32> -> tensor<64x64xf16>
    tile.store %h, %c[%c0, %c0] : tensor<64x64xf16>, !tile.view<?x?xf16>
  }
}
