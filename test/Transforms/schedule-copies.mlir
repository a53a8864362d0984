// RUN: heddle-opt %s --step-to-sched | FileCheck %s

// The same product twice. A launch makes the views of the first, and TMA copies; each iteration of the second makes
// its own, so that threads compute 4 places of 16 bytes each for a tile of 8 KiB, and their process takes 131 cycles
// for each. Nothing but that process is busy then, so several blocks share a multiprocessor.

// CHECK-LABEL: tile.kernel @launch
// CHECK: sched.plan @launch attributes
// CHECK: sched.table "loop" ii 256
// CHECK: sched.entry "load_a" on "tma" start {{[0-9]+}} latency 601 in "load"
tile.kernel @launch(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    tile.store %s, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// CHECK-LABEL: tile.kernel @loop
// CHECK: sched.plan @loop blocks {{[2-9]}} attributes
// CHECK: sched.table "loop" ii {{1[0-9][0-9][0-9]}} {
// CHECK: sched.entry "load_a" on "tma" start {{[0-9]+}} latency 997 in "load"
tile.kernel @loop(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %at = tile.ptr_add %a, %k : !tile.ptr<f16>, index
      %bt = tile.ptr_add %b, %k : !tile.ptr<f16>, index
      %av = tile.make_view %at, [%n, %c64], [%n, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
      %bv = tile.make_view %bt, [%c64, %c64], [%c64, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
      %x = tile.load %av[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %bv[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    tile.store %s, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
