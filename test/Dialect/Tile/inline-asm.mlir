// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// Instructions of one machine, for some elements at a time; narrow ones share registers.

// CHECK-LABEL: tile.kernel @asm
tile.kernel @asm(%x: f32) {
  %b = arith.constant 1 : i8
  // CHECK: tile.splat
  %tile = tile.splat %x : f32 -> tensor<64xf32>
  %bytes = tile.splat %b : i8 -> tensor<64xi8>
  // CHECK: tile.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" pack 1(%{{.*}}) : (tensor<64xf32>) -> tensor<64xf32>
  %0 = tile.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" pack 1(%tile) : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tile.inline_asm {{.*}} pack 4(%{{.*}}) : (tensor<64xi8>) -> (tensor<64xf16>, tensor<64xi8>)
  %1:2 = tile.inline_asm "{ .reg .b32 low<2>, %high; .reg .pred p; // all of them\0A setp.ne.b32 p, $3, 0; @p and.b32 $0, $3, 1; /* the rest */ mov.b32 $1, $3; mov.b32 {$2}, {$3}; }", "=r,=r,=&r,r" pack 4(%bytes) : (tensor<64xi8>) -> (tensor<64xf16>, tensor<64xi8>)
  // CHECK: tile.inline_asm "add.f32 $0, $1, $1;", "=f,f" pack 1(%x) : (f32) -> f32
  %2 = tile.inline_asm "add.f32 $0, $1, $1;", "=f,f" pack 1(%x) : (f32) -> f32
}
