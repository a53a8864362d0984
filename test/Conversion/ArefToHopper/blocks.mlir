// RUN: heddle-opt %s --aref-to-hopper --split-input-file 2>/dev/null | FileCheck %s

// How many blocks share a multiprocessor.

// Each instance reads 8 KiB that no other reads: five of them keep the memory busy.
// CHECK-LABEL: hopper.kernel @streams(
// CHECK: hopper.grid %{{.*}} blocks 5
tile.kernel @streams(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %i = %first to %n step %step {
      %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<1x4096xf16>
      %y = arith.addf %x, %x : tensor<1x4096xf16>
      tile.store %y, %b[%i, %c0] : tensor<1x4096xf16>, !tile.view<?x?xf16>
    }
  }
}

// -----

// All instances read the same 8 KiB, which stay in the caches; with 16 registers of
// tiles and 24 of addresses a thread, the registers hold twelve blocks.
// CHECK-LABEL: hopper.kernel @repeats(
// CHECK: hopper.grid %{{.*}} blocks 12
tile.kernel @repeats(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %first = tile.worker_id : index
    %step = tile.worker_count : index
    scf.for %i = %first to %n step %step {
      %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<1x4096xf16>
      %y = arith.addf %x, %x : tensor<1x4096xf16>
      tile.store %y, %b[%i, %c0] : tensor<1x4096xf16>, !tile.view<?x?xf16>
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
