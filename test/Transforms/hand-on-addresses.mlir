// RUN: heddle-opt %s --split-input-file --tile-hand-on-addresses --canonicalize --cse | FileCheck %s

// The second loop begins with what the first began with and how often that ran, and the first hands on its sum alone.
// CHECK-LABEL: tile.kernel @addresses
// CHECK: %[[SUM:.*]]:2 = scf.for
// CHECK: %[[LENGTH:.*]] = arith.maxsi %mid, %c0
// CHECK: %[[TURNS:.*]] = arith.ceildivsi %[[LENGTH]], %c64
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[TURNS]] : index to i64
// CHECK: %[[EACH:.*]] = arith.extsi %step : i32 to i64
// CHECK: %[[FAR:.*]] = arith.muli %[[COUNT]], %[[EACH]] : i64
// CHECK: %[[ALL:.*]] = tile.splat %[[FAR]] : i64 -> tensor<64x64xi64>
// CHECK: %[[LAST:.*]] = tile.ptr_add %{{.*}}, %[[ALL]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]]#0, %{{.*}} = %[[LAST]])
tile.kernel @addresses(%p: !tile.ptr<f16>, %x: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %step: i32, %mid: index, %end: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %first = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %a, %at = scf.for %k = %c0 to %mid step %c64 iter_args(%s = %zero, %q = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) {
      %u = tile.load %x[%i, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %v = tile.gather %q : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
      %d = tile.dot %u, %v, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %by = tile.splat %step : i32 -> tensor<64x64xi32>
      %next = tile.ptr_add %q, %by : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
    }
    %b, %to = scf.for %k = %mid to %end step %c64 iter_args(%s = %a, %q = %at) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) {
      %u = tile.load %x[%i, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %v = tile.gather %q : tensor<64x64x!tile.ptr<f16>> -> tensor<64x64xf16>
      %d = tile.dot %u, %v, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %by = tile.splat %step : i32 -> tensor<64x64xi32>
      %next = tile.ptr_add %q, %by : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
      scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
    }
    tile.store %b, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// A place of a block, as block pointers have it. It wraps alike.
// CHECK-LABEL: tile.kernel @places
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>, i32)
// CHECK: %[[TURNS:.*]] = arith.ceildivsi
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[TURNS]] : index to i32
// CHECK: %[[FAR:.*]] = arith.muli %[[COUNT]], %c64_i32 : i32
// CHECK: %[[AT:.*]] = arith.addi %start, %[[FAR]] : i32
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[AT]])
tile.kernel @places(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %start: i32, %mid: index, %end: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c64_i32 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %a, %at = scf.for %k = %c0 to %mid step %c64 iter_args(%s = %zero, %row = %start) -> (tensor<64x64xf32>, i32) {
      %place = arith.index_cast %row : i32 to index
      %u = tile.load %x[%i, %place] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %v = tile.load %w[%place, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %u, %v, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %next = arith.addi %row, %c64_i32 : i32
      scf.yield %d, %next : tensor<64x64xf32>, i32
    }
    %b, %to = scf.for %k = %mid to %end step %c64 iter_args(%s = %a, %row = %at) -> (tensor<64x64xf32>, i32) {
      %place = arith.index_cast %row : i32 to index
      %u = tile.load %x[%i, %place] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %v = tile.load %w[%place, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %u, %v, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %next = arith.addi %row, %c64_i32 : i32
      scf.yield %d, %next : tensor<64x64xf32>, i32
    }
    tile.store %b, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
