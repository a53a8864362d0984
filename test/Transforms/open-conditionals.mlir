// RUN: heddle-opt %s --split-input-file --tile-open-conditionals --canonicalize --cse | FileCheck %s

// A load and a store reach nothing where their conditions do not hold: they begin behind their views' ends.
// CHECK-LABEL: tile.kernel @some
// CHECK: scf.for %[[C:.*]] = %c0 to %k
// CHECK: %[[D:.*]] = tile.dot
// CHECK: %[[IS:.*]] = arith.cmpi sgt, %[[C]], %from
// CHECK: %[[END:.*]] = tile.dim %bias, 0
// CHECK: %[[AT:.*]] = arith.select %[[IS]], %{{.*}}, %[[END]] : index
// CHECK: %[[X:.*]] = tile.load %bias[%[[AT]], %[[C]]]
// CHECK: %[[S:.*]] = scf.if %[[IS]]
// CHECK-NEXT: arith.addf %[[D]], %[[X]]
// CHECK: %[[END2:.*]] = tile.dim %y, 0
// CHECK: %[[AT2:.*]] = arith.select %[[IS]], %[[END2]], %[[C]] : index
// CHECK: tile.store %[[S]], %y[%[[AT2]], %c0]
// CHECK-NOT: scf.if
// CHECK: scf.yield
tile.kernel @some(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %bias: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %is = arith.cmpi sgt, %c, %from : index
      %t = scf.if %is -> (tensor<64x64xf32>) {
        %row = arith.addi %i, %c : index
        %o = tile.load %bias[%row, %c] : !tile.view<?x?xf32> -> tensor<64x64xf32>
        %u = arith.addf %d, %o : tensor<64x64xf32>
        scf.yield %u : tensor<64x64xf32>
      } else {
        scf.yield %d : tensor<64x64xf32>
      }
      scf.if %is {
      } else {
        tile.store %t, %y[%c, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      scf.yield %t : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// By addresses they have a mask of nothing; a number that is read there is zero, and what divides is one.
// CHECK-LABEL: tile.kernel @pointers
// CHECK: %[[IS:.*]] = arith.cmpi sgt, %{{.*}}, %from
// CHECK: %[[BY:.*]] = arith.select %[[IS]], %from, %c1 : index
// CHECK: arith.divui %{{.*}}, %[[BY]]
// CHECK: %[[N:.*]] = tile.gather %{{.*}} mask %[[IS]] : i1 : !tile.ptr<i32> -> i32
// CHECK: %[[ALL:.*]] = tile.splat %[[IS]] : i1 -> tensor<64xi1>
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[ALL]] : tensor<64xi1>
// CHECK: tile.scatter %{{.*}}, %{{.*}} mask %[[BOTH]]
// CHECK-NOT: scf.if
tile.kernel @pointers(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %out: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %list: !tile.ptr<i32>, %k: index, %from: index, %mask: i1, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %m = tile.splat %mask : i1 -> tensor<64xi1>
    %places = tile.iota : tensor<64xi32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %is = arith.cmpi sgt, %c, %from : index
      scf.if %is {
        %part = arith.divui %c, %from : index
        %at = tile.ptr_add %list, %part : !tile.ptr<i32>, index
        %n = tile.gather %at : !tile.ptr<i32> -> i32
        %base = tile.ptr_add %out, %n : !tile.ptr<i32>, i32
        %bases = tile.splat %base : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
        %p = tile.ptr_add %bases, %places : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
        tile.scatter %places, %p mask %m : tensor<64xi1> : tensor<64xi32>, tensor<64x!tile.ptr<i32>>
      }
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
