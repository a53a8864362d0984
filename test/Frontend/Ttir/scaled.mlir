// RUN: heddle-opt %s --ttir-to-tile | FileCheck %s
// Products of numbers with scales, which no unit of Hopper makes: the operands are multiplied.

// CHECK-LABEL: tile.kernel @eight
// The scales of A are powers of two for 32 numbers along K each; 255 is NaN.
// CHECK: tile.cast %{{.*}} : tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
// CHECK: arith.extui %{{.*}} : tensor<64x2xi8> to tensor<64x2xi32>
// CHECK: arith.shli
// CHECK: arith.select
// CHECK: %[[POWER:.*]] = arith.bitcast %{{.*}} : tensor<64x2xi32> to tensor<64x2xf32>
// CHECK: tile.expand_dims %[[POWER]], 2
// CHECK: tile.broadcast %{{.*}} : tensor<64x2x1xf32> -> tensor<64x2x32xf32>
// CHECK: tile.reshape %{{.*}} : tensor<64x2x32xf32> -> tensor<64x64xf32>
// CHECK: arith.mulf
// CHECK: %[[A:.*]] = tile.cast %{{.*}} : tensor<64x64xf32> -> tensor<64x64xbf16>
// CHECK: tile.dot %[[A]], %{{.*}}, %{{.*}} : tensor<64x64xbf16>, tensor<64x32xbf16> -> tensor<64x32xf32>
// Those of B have K as their last axis. Without NaN nothing is chosen.
// CHECK: tile.trans %{{.*}}, [1, 0] : tensor<32x2xi8> -> tensor<2x32xi8>
// CHECK-NOT: arith.select
// CHECK: tile.dot
tt.func public @eight(%o: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E5M2>
  %s = arith.constant dense<127> : tensor<64x2xi8>
  %t = arith.constant dense<126> : tensor<32x2xi8>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<64x64xf8E4M3FN>, tensor<64x2xi8> * tensor<64x32xf8E5M2> -> tensor<64x32xf32>
  %e = tt.dot_scaled %a, %b scale %t, %d lhs = e4m3 rhs = e5m2 {fastMath = true} : tensor<64x64xf8E4M3FN> * tensor<64x32xf8E5M2>, tensor<32x2xi8> -> tensor<64x32xf32>
  tt.return
}

// Two numbers of 4 bits in a byte, along K or along the other axis, beside f16.
// CHECK-LABEL: tile.kernel @four
// CHECK: tile.join %{{.*}}, %{{.*}} : tensor<32x32xf32> -> tensor<32x32x2xf32>
// CHECK: tile.trans %{{.*}}, [0, 2, 1] : tensor<32x32x2xf32> -> tensor<32x2x32xf32>
// CHECK: tile.reshape %{{.*}} : tensor<32x2x32xf32> -> tensor<64x32xf32>
// CHECK: tile.cast %{{.*}} : tensor<64x32xf32> -> tensor<64x32xf16>
// CHECK: tile.join %{{.*}}, %{{.*}} : tensor<64x16xf32> -> tensor<64x16x2xf32>
// CHECK-NEXT: tile.reshape %{{.*}} : tensor<64x16x2xf32> -> tensor<64x32xf32>
tt.func public @four(%o: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %b = arith.constant dense<17> : tensor<32x32xi8>
  %n = arith.constant dense<17> : tensor<64x16xi8>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = tt.dot_scaled %a, %b, %c lhs = fp16 rhs = e2m1 {fastMath = false} : tensor<64x64xf16> * tensor<32x32xi8> -> tensor<64x32xf32>
  %e = tt.dot_scaled %a, %n, %d lhs = fp16 rhs = e2m1 {fastMath = false, rhs_k_pack = false} : tensor<64x64xf16> * tensor<64x16xi8> -> tensor<64x32xf32>
  tt.return
}
