// RUN: heddle-opt %s --tile-swap-operands | FileCheck %s
// RUN: heddle-opt %s --tile-swap-operands=machine=b200 | FileCheck %s --check-prefix=PADS
// A product of fewer rows than wgmma takes is the transpose of b^T a^T, where columns are
// enough, both operands are loaded, and nobody reduces the sums.

// A machine that keeps sums in a memory of their own has rows enough.
// PADS-LABEL: tile.kernel @carried
// PADS-NOT: tile.trans
// PADS-LABEL: tile.kernel @stored_transposed
// PADS-LABEL: tile.kernel @nested

// CHECK-LABEL: tile.kernel @carried
// The loop carries the transposed sum, and what is stored is turned back behind it.
// CHECK: %[[ZERO:.*]] = tile.splat %{{.*}} : f32 -> tensor<128x16xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK: %[[X:.*]] = tile.load %a
// CHECK: %[[Y:.*]] = tile.load %b
// CHECK-DAG: %[[XT:.*]] = tile.trans %[[X]], [1, 0] : tensor<16x64xf16> -> tensor<64x16xf16>
// CHECK-DAG: %[[YT:.*]] = tile.trans %[[Y]], [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
// CHECK: %[[D:.*]] = tile.dot %[[YT]], %[[XT]], %[[ACC]] :
// CHECK-NEXT: scf.yield %[[D]]
// CHECK: %[[C:.*]] = tile.trans %[[SUM]], [1, 0] : tensor<128x16xf32> -> tensor<16x128xf32>
// CHECK: tile.store %[[C]]
tile.kernel @carried(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<16x128xf32>
  %s = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero) -> (tensor<16x128xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<16x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %p : tensor<16x64xf16>, tensor<64x128xf16> -> tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<16x128xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: tile.kernel @stored_transposed
// What turns the sum back right behind the loop goes with the loop's own transpose.
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<128x16xf32>)
// CHECK-NOT: tile.trans %[[SUM]]
// CHECK: tile.store %[[SUM]]
tile.kernel @stored_transposed(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<16x128xf32>
  %s = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero) -> (tensor<16x128xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<16x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %p : tensor<16x64xf16>, tensor<64x128xf16> -> tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  %t = tile.trans %s, [1, 0] : tensor<16x128xf32> -> tensor<128x16xf32>
  tile.store %t, %c[%c0, %c0] : tensor<128x16xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: tile.kernel @nested
// Both loops carry it; an operand that was a transpose is read as it lies; what scales the
// sum between the loops sees the rows as they were.
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}) -> (tensor<64x32xf32>)
// CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[OUTER]]) -> (tensor<64x32xf32>)
// CHECK: %[[W:.*]] = tile.load %b
// CHECK: tile.dot %[[W]], %{{.*}}, %[[ACC]] :
// CHECK: scf.yield %[[INNER]]
tile.kernel @nested(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<32x64xf32>
  %s = scf.for %o = %c0 to %k step %c64 iter_args(%q = %zero) -> (tensor<32x64xf32>) {
    %t = scf.for %i = %c0 to %k step %c64 iter_args(%p = %q) -> (tensor<32x64xf32>) {
      %x = tile.load %a[%o, %i] : !tile.view<?x?xf16> -> tensor<32x64xf16>
      %w = tile.load %b[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.trans %w, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %p : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
      scf.yield %d : tensor<32x64xf32>
    }
    scf.yield %t : tensor<32x64xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<32x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: tile.kernel @added
// A sum that joins another by an addition: the product alone is turned.
// CHECK: iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<16x64xf32>)
// CHECK: %[[D:.*]] = tile.dot {{.*}} -> tensor<64x16xf32>
// CHECK: %[[T:.*]] = tile.trans %[[D]], [1, 0]
// CHECK: arith.addf %[[ACC]], %[[T]]
tile.kernel @added(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<16x64xf32>
  %s = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero) -> (tensor<16x64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<16x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %zero : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
    %e = arith.addf %p, %d : tensor<16x64xf32>
    scf.yield %e : tensor<16x64xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<16x64xf32>, !tile.view<?x?xf32>
}

// What is left as it is: sums that somebody reduces, an operand that threads compute, rows
// enough, and too few columns.
// CHECK-LABEL: tile.kernel @left
// CHECK-NOT: tile.trans
tile.kernel @left(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %v: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<16x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x64xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
  %r = tile.reduce %d axis 1 : tensor<16x64xf32> -> tensor<16xf32> combine (%p: f32, %q: f32) {
    %m = arith.maxnumf %p, %q : f32
    tile.yield %m : f32
  }
  tile.store %r, %v[%c0] : tensor<16xf32>, !tile.view<?xf32>
  %z = arith.mulf %y, %y : tensor<64x64xf16>
  %e = tile.dot %x, %z, %zero : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
  tile.store %e, %c[%c0, %c0] : tensor<16x64xf32>, !tile.view<?x?xf32>
  %zeros = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %f = tile.dot %y, %y, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %f, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  %few = tile.splat %f0 : f32 -> tensor<16x32xf32>
  %u = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
  %g = tile.dot %x, %u, %few : tensor<16x64xf16>, tensor<64x32xf16> -> tensor<16x32xf32>
  tile.store %g, %c[%c0, %c0] : tensor<16x32xf32>, !tile.view<?x?xf32>
}
