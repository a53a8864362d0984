// RUN: heddle-opt %s --sched-name-ops --tile-split-columns | FileCheck %s
// RUN: heddle-opt %s --sched-name-ops --tile-split-columns --tile-split | FileCheck %s --check-prefix=ROWS

// Sums of 64 x 256 and a partial one take 256 registers of a thread; by halves of the
// columns 192. What goes with the product is cut with it: operand b, sum, store.
// CHECK-LABEL: tile.kernel @wide
// CHECK: iter_args({{.*}}) -> (tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK: tile.load %a[{{.*}} -> tensor<128x128xf8E4M3FN>
// CHECK-COUNT-2: tile.load %b[{{.*}} -> tensor<128x128xf8E4M3FN>
// CHECK: tile.dot {{.*}} {sched.of = "dot", sched.op = "dot.0", sched.sub = 0 : i64}
// CHECK: tile.dot {{.*}} {sched.of = "dot", sched.op = "dot.1", sched.sub = 1 : i64}
// CHECK-COUNT-2: arith.addf
// CHECK: tile.store {{.*}} %c[%c0, %c0]
// CHECK: %[[RIGHT:.*]] = arith.addi %c0, %c128
// CHECK: tile.store {{.*}} %c[%c0, %[[RIGHT]]]
// Each half has a sub-tile for each group; its columns of b are there once.
// ROWS-LABEL: tile.kernel @wide
// ROWS: {sched.op = "load_b.0"} :
// ROWS: {sched.op = "load_b.1"} :
// ROWS: {sched.of = "dot", sched.op = "dot.0", sched.sub = 0 : i64}
// ROWS: {sched.of = "dot", sched.op = "dot.1", sched.sub = 1 : i64}
// ROWS: {sched.of = "dot", sched.op = "dot.2", sched.sub = 2 : i64}
// ROWS: {sched.of = "dot", sched.op = "dot.3", sched.sub = 3 : i64}
tile.kernel @wide(%a: !tile.view<?x?xf8E4M3FN>, %b: !tile.view<?x?xf8E4M3FN, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %k = tile.dim %a, 1 : !tile.view<?x?xf8E4M3FN>
  %zero = tile.splat %f0 : f32 -> tensor<128x256xf32>
  %sum = scf.for %i = %c0 to %k step %c128 iter_args(%s = %zero) -> (tensor<128x256xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf8E4M3FN, #tile.order<0, 1>> -> tensor<128x256xf8E4M3FN>
    %part = tile.dot %x, %y, %zero : tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN> -> tensor<128x256xf32>
    %next = arith.addf %s, %part : tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<128x256xf32>, !tile.view<?x?xf32>
}

// 96 registers of sums and 96 of a partial one fit.
// CHECK-LABEL: tile.kernel @fits
// CHECK: tile.dot {{.*}} -> tensor<128x192xf32>
tile.kernel @fits(%a: !tile.view<?x?xf8E4M3FN>, %b: !tile.view<?x?xf8E4M3FN, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %k = tile.dim %a, 1 : !tile.view<?x?xf8E4M3FN>
  %zero = tile.splat %f0 : f32 -> tensor<128x192xf32>
  %sum = scf.for %i = %c0 to %k step %c128 iter_args(%s = %zero) -> (tensor<128x192xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf8E4M3FN, #tile.order<0, 1>> -> tensor<128x192xf8E4M3FN>
    %part = tile.dot %x, %y, %zero : tensor<128x128xf8E4M3FN>, tensor<128x192xf8E4M3FN> -> tensor<128x192xf32>
    %next = arith.addf %s, %part : tensor<128x192xf32>
    scf.yield %next : tensor<128x192xf32>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<128x192xf32>, !tile.view<?x?xf32>
}

// Nor is a sum cut that the unit carries on by itself.
// CHECK-LABEL: tile.kernel @one_level
// CHECK: tile.dot {{.*}} -> tensor<128x256xf32>
tile.kernel @one_level(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %zero = tile.splat %f0 : f32 -> tensor<128x256xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<128x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x256xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<128x256xf32>, !tile.view<?x?xf32>
}
