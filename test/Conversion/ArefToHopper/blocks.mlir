// RUN: heddle-opt %s --aref-to-hopper --split-input-file 2>/dev/null | FileCheck %s

// How many blocks share a multiprocessor.

// A block for each instance: the hardware deals them out, and no loop is left. With 16
// registers of tiles and 24 of addresses a thread, twelve are thought to fit.
// CHECK-LABEL: hopper.kernel @instances(
// CHECK: hopper.grid each %{{.*}} blocks 12
// CHECK-NOT: scf.for
// CHECK: %[[I:.*]] = tile.worker_id
// CHECK-NOT: scf.for
// CHECK: hopper.global_load %a[%[[I]],
// CHECK-NOT: scf.for
// CHECK: hopper.kernel @instances_general(
tile.kernel @instances(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %instances = arith.muli %n, %c1 {tile.instances} : index
  aref.process "main" warps 4 registers 0 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %i = %first to %instances step %step {
      %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<1x4096xf16>
      %y = arith.addf %x, %x : tensor<1x4096xf16>
      tile.store %y, %b[%i, %c0] : tensor<1x4096xf16>, !tile.view<?x?xf16>
    }
  }
}

// -----

// What goes from one instance to the next needs workers that take several.
// CHECK-LABEL: hopper.kernel @carries(
// CHECK: hopper.grid %{{.*}} blocks 16
// CHECK: scf.for
tile.kernel @carries(%b: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %instances = arith.muli %n, %c1 {tile.instances} : index
  aref.process "main" warps 4 registers 0 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    %sum = scf.for %i = %first to %instances step %step iter_args(%s = %zero) -> (f32) {
      %t = tile.splat %s : f32 -> tensor<1x128xf32>
      tile.store %t, %b[%i, %c0] : tensor<1x128xf32>, !tile.view<?x?xf32>
      %next = arith.addf %s, %one : f32
      scf.yield %next : f32
    }
  }
}

// -----

// A conversion with one reader is done there: until then 16 registers hold it, 48 in
// all, and not 64.
// CHECK-LABEL: hopper.kernel @widens(
// CHECK: hopper.grid %{{.*}} blocks 7
tile.kernel @widens(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %i = %first to %n step %step {
      %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<1x4096xf16>
      %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf32> -> tensor<1x4096xf32>
      %wide = tile.cast %x : tensor<1x4096xf16> -> tensor<1x4096xf32>
      %z = arith.mulf %y, %y : tensor<1x4096xf32>
      %sum = arith.addf %z, %wide : tensor<1x4096xf32>
      tile.store %sum, %b[%i, %c0] : tensor<1x4096xf32>, !tile.view<?x?xf32>
    }
  }
}
