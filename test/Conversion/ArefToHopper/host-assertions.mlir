// RUN: heddle-opt %s --aref-to-hopper --split-input-file 2>/dev/null | FileCheck %s

// Assertions about extents, scalars and constants are the host's.
// CHECK-LABEL: hopper.kernel @host(
// CHECK-DAG: %[[M:.*]] = tile.dim %a, 0
// CHECK-DAG: %[[N:.*]] = tile.dim %a, 1
// CHECK: hopper.require %c64 at_least %[[N]], "a row fits"
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[ABOVE:.*]] = arith.addi %c0, %[[ONE]] : index
// CHECK: hopper.require %[[M]] at_least %[[ABOVE]], "not empty"
// CHECK: %[[I:.*]] = arith.index_cast %i
// CHECK: hopper.require %{{.*}} at_least %[[I]], "seven"
// CHECK: hopper.require %[[I2:.*]] at_least %{{.*}}, "seven"
// CHECK: hopper.process
// CHECK-NOT: tile.assert
// CHECK: hopper.global_store
tile.kernel @host(%a: !tile.view<?x?xf32>, %i: i32) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %c64 = arith.constant 64 : index
  %m = tile.dim %a, 0 : !tile.view<?x?xf32>
  %n = tile.dim %a, 1 : !tile.view<?x?xf32>
  %fits = arith.cmpi ule, %n, %c64 : index
  %some = arith.cmpi sgt, %m, %c0 : index
  %seven = arith.cmpi eq, %c7, %i : i32
  aref.process "main" warps 4 registers 0 {
    tile.assert %fits, "a row fits" : i1
    tile.assert %some, "not empty" : i1
    tile.assert %seven, "seven" : i1
    %f = arith.constant dense<0.0> : tensor<1x64xf32>
    tile.store %f, %a[%c0, %c0] : tensor<1x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// What depends on the instance, on memory or on a sign stays in the kernel.
// CHECK-LABEL: hopper.kernel @device(
// CHECK-NOT: hopper.require
// CHECK: tile.assert %{{.*}}, "unsigned"
// CHECK: tile.assert %{{.*}}, "different"
// CHECK: scf.for
// CHECK: tile.assert %{{.*}}, "instance"
tile.kernel @device(%a: !tile.view<?x?xf32>, %i: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %small = arith.cmpi ult, %i, %c7 : i32
  %other = arith.cmpi ne, %i, %c7 : i32
  %first = tile.worker_id : index
  %step = tile.worker_count : index
  aref.process "main" warps 4 registers 0 {
    tile.assert %small, "unsigned" : i1
    tile.assert %other, "different" : i1
    scf.for %at = %first to %n step %step {
      %inside = arith.cmpi ult, %at, %n : index
      tile.assert %inside, "instance" : i1
    }
  }
}
