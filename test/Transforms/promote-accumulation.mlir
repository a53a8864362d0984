// RUN: heddle-opt %s --tile-promote-accumulation | FileCheck %s

// CHECK-LABEL: tile.kernel @limited
// CHECK: %[[CST:.*]] = arith.constant 0.0
// CHECK: %[[ZERO:.*]] = tile.splat %[[CST]] : f32 -> tensor<64x64xf32>
// CHECK: %[[PART:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[ZERO]] :
// CHECK: %[[SUM:.*]] = arith.addf %[[ACC:.*]], %[[PART]]
// CHECK: tile.store %[[SUM]]
tile.kernel @limited(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %x, %acc {max_imprecise_acc = 128 : i64} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %d, %c[%i, %i] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: tile.kernel @free
// CHECK-NOT: max_imprecise_acc
// CHECK-NOT: arith.addf
tile.kernel @free(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %x, %acc {max_imprecise_acc = 0 : i64} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %d, %c[%i, %i] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// Of 8-bit floats the unit sums 128 products, unless it is to be fast.
// CHECK-LABEL: tile.kernel @eight_bits
// CHECK: arith.addf
// CHECK-LABEL: tile.kernel @fast
// CHECK: fast_sums = true
// CHECK-NOT: arith.addf
tile.kernel @eight_bits(%a: !tile.view<?x?xf8E4M3FN>, %c: !tile.view<?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %d = tile.dot %x, %x, %acc : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.store %d, %c[%i, %i] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

tile.kernel @fast(%a: !tile.view<?x?xf8E4M3FN>, %c: !tile.view<?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %d = tile.dot %x, %x, %acc {fast_sums = true} : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.store %d, %c[%i, %i] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
