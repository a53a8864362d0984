// RUN: heddle-opt %s --split-input-file --tile-split-batches --canonicalize | FileCheck %s

// Loads and stores of one matrix, and a sum for each that the loop carries.
// CHECK-LABEL: tile.kernel @product
// CHECK: %[[FOR:.*]]:2 = scf.for {{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (tensor<16x16xf32>, tensor<16x16xf32>)
// CHECK-DAG: %[[A0:.*]] = tile.load %a[%i, %{{.*}}, %[[K:.*]]] : !tile.view<?x?x?xf16> -> tensor<16x32xf16>
// CHECK-DAG: %[[A1:.*]] = tile.load %a[%[[NEXT:.*]], %{{.*}}, %[[K]]] : !tile.view<?x?x?xf16> -> tensor<16x32xf16>
// CHECK-DAG: %[[D0:.*]] = tile.dot %[[A0]], %{{.*}}, %[[S0]] : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
// CHECK-DAG: %[[D1:.*]] = tile.dot %[[A1]], %{{.*}}, %[[S1]] : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
// CHECK: scf.yield %[[D0]], %[[D1]]
// CHECK-NOT: tile.join
// CHECK: tile.store %[[FOR]]#0, %c[%i, %{{.*}}, %{{.*}}] : tensor<16x16xf32>
// CHECK: tile.store %[[FOR]]#1, %c[%{{.*}}, %{{.*}}, %{{.*}}] : tensor<16x16xf32>
tile.kernel @product(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>, %c: !tile.view<?x?x?xf32>, %i: index, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = tile.splat %f : f32 -> tensor<2x16x16xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<2x16x16xf32>) {
    %x = tile.load %a[%i, %c0, %k] : !tile.view<?x?x?xf16> -> tensor<2x16x32xf16>
    %y = tile.load %b[%i, %k, %c0] : !tile.view<?x?x?xf16> -> tensor<2x32x16xf16>
    %d = tile.dot %x, %y, %s : tensor<2x16x32xf16>, tensor<2x32x16xf16> -> tensor<2x16x16xf32>
    scf.yield %d : tensor<2x16x16xf32>
  }
  tile.store %sum, %c[%i, %c0, %c0] : tensor<2x16x16xf32>, !tile.view<?x?x?xf32>
}

// -----

// Addresses that a loop carries, of places counted by an iota; what is done to
// the sum's rows; a conditional.
// CHECK-LABEL: tile.kernel @addresses
// CHECK: scf.for {{.*}} -> (tensor<16x16x!tile.ptr<f16>>, tensor<16x16x!tile.ptr<f16>>, tensor<16x16xf32>, tensor<16x16xf32>)
// CHECK-COUNT-2: tile.gather %{{.*}} : tensor<16x16x!tile.ptr<f16>> -> tensor<16x16xf16>
// CHECK-COUNT-2: tile.dot %{{.*}} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
// CHECK: scf.if %{{.*}} -> (tensor<16x16xf32>, tensor<16x16xf32>)
// CHECK-NOT: tensor<2x16x16x
tile.kernel @addresses(%p: !tile.ptr<f16>, %q: !tile.ptr<f32>, %n: index, %f: f32, %t: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : i32
  %places = tile.iota : tensor<2xi32>
  %by = tile.splat %c256 : i32 -> tensor<2xi32>
  %from = arith.muli %places, %by : tensor<2xi32>
  %from1 = tile.expand_dims %from, 1 : tensor<2xi32> -> tensor<2x1xi32>
  %from2 = tile.expand_dims %from1, 2 : tensor<2x1xi32> -> tensor<2x1x1xi32>
  %offsets = tile.broadcast %from2 : tensor<2x1x1xi32> -> tensor<2x16x16xi32>
  %base = tile.splat %p : !tile.ptr<f16> -> tensor<2x16x16x!tile.ptr<f16>>
  %start = tile.ptr_add %base, %offsets : tensor<2x16x16x!tile.ptr<f16>>, tensor<2x16x16xi32>
  %step = tile.splat %c256 : i32 -> tensor<2x16x16xi32>
  %zero = tile.splat %f : f32 -> tensor<2x16x16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%at = %start, %s = %zero) -> (tensor<2x16x16x!tile.ptr<f16>>, tensor<2x16x16xf32>) {
    %x = tile.gather %at : tensor<2x16x16x!tile.ptr<f16>> -> tensor<2x16x16xf16>
    %d = tile.dot %x, %x, %s : tensor<2x16x16xf16>, tensor<2x16x16xf16> -> tensor<2x16x16xf32>
    %next = tile.ptr_add %at, %step : tensor<2x16x16x!tile.ptr<f16>>, tensor<2x16x16xi32>
    scf.yield %next, %d : tensor<2x16x16x!tile.ptr<f16>>, tensor<2x16x16xf32>
  }
  %turned = scf.if %t -> (tensor<2x16x16xf32>) {
    %y = tile.trans %r#1, [0, 2, 1] : tensor<2x16x16xf32> -> tensor<2x16x16xf32>
    scf.yield %y : tensor<2x16x16xf32>
  } else {
    scf.yield %r#1 : tensor<2x16x16xf32>
  }
  %base_q = tile.splat %q : !tile.ptr<f32> -> tensor<2x16x16x!tile.ptr<f32>>
  %to = tile.ptr_add %base_q, %offsets : tensor<2x16x16x!tile.ptr<f32>>, tensor<2x16x16xi32>
  tile.scatter %turned, %to : tensor<2x16x16xf32>, tensor<2x16x16x!tile.ptr<f32>>
}

// -----

// What mixes the places reads the whole, put together for it alone.
// CHECK-LABEL: tile.kernel @mixed
// CHECK-COUNT-2: tile.dot %{{.*}} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
// CHECK: tile.join
// CHECK: tile.reduce %{{.*}} axis 0 : tensor<2x16x16xf32> -> tensor<16x16xf32>
tile.kernel @mixed(%a: !tile.view<?x?x?xf16>, %c: !tile.view<?x?xf32>, %i: index, %f: f32) {
  %zero = tile.splat %f : f32 -> tensor<2x16x16xf32>
  %x = tile.load %a[%i, %i, %i] : !tile.view<?x?x?xf16> -> tensor<2x16x16xf16>
  %d = tile.dot %x, %x, %zero : tensor<2x16x16xf16>, tensor<2x16x16xf16> -> tensor<2x16x16xf32>
  %m = tile.reduce %d axis 0 : tensor<2x16x16xf32> -> tensor<16x16xf32> combine (%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  tile.store %m, %c[%i, %i] : tensor<16x16xf32>, !tile.view<?x?xf32>
}
