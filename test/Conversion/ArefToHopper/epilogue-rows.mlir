// RUN: heddle-opt %s --aref-to-hopper | FileCheck %s
//
// Threads read neighbouring elements at once, also in the variant that stores by
// TMA: from views whose rows are as long as those that are stored, and so whole
// rows of 16 bytes wherever this variant runs. A view with rows of another length
// would keep it from launches that it can do, and is read element by element.

// CHECK-LABEL: hopper.kernel @rows(
// CHECK-SAME: tma [{{[0-9, ]+}}] rows [{{[0-9]+}}, {{[0-9]+}}]
// CHECK: hopper.global_load %bias.view[%{{.*}}] vector 2 :
// CHECK: hopper.global_load %residual.view[%{{.*}}] vector 2 :
// CHECK: hopper.global_load %other.view[%{{[0-9a-z]+}}, %{{[0-9a-z]+}}] :
// CHECK: hopper.tma_store
// CHECK-LABEL: hopper.kernel @rows_plain_stores
// CHECK-NOT: vector

!ring = !aref.ring<[tensor<64x32xbf16>, tensor<32x96xbf16>]>

tile.kernel @rows(%a: !tile.view<?x?xbf16>, %b: !tile.view<?x?xbf16>, %bias: !tile.ptr<f32>,
                  %residual: !tile.ptr<f32>, %other: !tile.ptr<f32>, %c: !tile.ptr<f32>,
                  %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %bias_view = tile.make_view %bias, [%n], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
  %residual_view = tile.make_view %residual, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %other_view = tile.make_view %other, [%m, %k], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c_view = tile.make_view %c, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %zero = tile.splat %f0 : f32 -> tensor<64x96xf32>
  %ab = aref.ring "ab" depth 2 : !ring
  aref.process "load" warps 4 registers 40 {
    %t0 = aref.first_turn %ab : !ring
    %tok, %next = aref.acquire %ab[%t0] : !ring
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xbf16> -> tensor<32x96xbf16>
    aref.publish %ab[%tok], %x, %y : !ring, tensor<64x32xbf16>, tensor<32x96xbf16>
  }
  aref.process "mma" warps 4 registers 232 {
    %t0 = aref.first_turn %ab : !ring
    %tok, %next, %x, %y = aref.get %ab[%t0] : !ring -> tensor<64x32xbf16>, tensor<32x96xbf16>
    %d = tile.dot %x, %y, %zero : tensor<64x32xbf16>, tensor<32x96xbf16> -> tensor<64x96xf32>
    aref.release %ab[%tok] after %d : !ring, tensor<64x96xf32>
    %row = tile.load %bias_view[%c0] : !tile.view<?xf32> -> tensor<96xf32>
    %row2 = tile.expand_dims %row, 0 : tensor<96xf32> -> tensor<1x96xf32>
    %rows = tile.broadcast %row2 : tensor<1x96xf32> -> tensor<64x96xf32>
    %r = tile.load %residual_view[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x96xf32>
    %q = tile.load %other_view[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x96xf32>
    %s = arith.addf %d, %rows : tensor<64x96xf32>
    %t = arith.addf %s, %r : tensor<64x96xf32>
    %o = arith.addf %t, %q : tensor<64x96xf32>
    tile.store %o, %c_view[%c0, %c0] : tensor<64x96xf32>, !tile.view<?x?xf32>
  }
}
