// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

// CHECK-LABEL: tile.kernel @windows
// CHECK: %[[ROWS:.*]] = tile.window %x axis 1 extent %{{.*}}, window 0 extent %{{.*}}, low %{{.*}} {dilation = 3 : i64, stride = 2 : i64} : !tile.view<?x?x?xf16> -> !tile.view<?x?x?x?xf16, #tile.order<3, 2, 0, 1>>
// CHECK: tile.merge %[[ROWS]] axes 1 to 2 : !tile.view<?x?x?x?xf16, #tile.order<3, 2, 0, 1>> -> !tile.view<?x?x?xf16>
tile.kernel @windows(%x: !tile.view<?x?x?xf16>, %y: !tile.view<?x?xf16>, %p: index, %r: index) {
  %c0 = arith.constant 0 : index
  %rows = tile.window %x axis 1 extent %p, window 0 extent %r, low %c0
    {stride = 2, dilation = 3}
    : !tile.view<?x?x?xf16> -> !tile.view<?x?x?x?xf16, #tile.order<3, 2, 0, 1>>
  %all = tile.merge %rows axes 1 to 2
    : !tile.view<?x?x?x?xf16, #tile.order<3, 2, 0, 1>>
      -> !tile.view<?x?x?xf16, #tile.order<2, 1, 0>>
  %t = tile.load %all[%c0, %c0, %c0]
    : !tile.view<?x?x?xf16, #tile.order<2, 1, 0>> -> tensor<16x16xf16>
  tile.store %t, %y[%c0, %c0] : tensor<16x16xf16>, !tile.view<?x?xf16>
}

// An axis that is split and merged again is what it was, and so is one merged axis.
// FOLDED-LABEL: tile.kernel @unsplit
// FOLDED: tile.load %x[%{{.*}}] : !tile.view<12xf16>
tile.kernel @unsplit(%x: !tile.view<12xf16>, %y: !tile.view<16xf16>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %split = tile.window %x axis 0 extent %c3, window 1 extent %c4, low %c0 {stride = 4}
    : !tile.view<12xf16> -> !tile.view<3x4xf16, #tile.order<0, 1>>
  %whole = tile.merge %split axes 0 to 1
    : !tile.view<3x4xf16, #tile.order<0, 1>> -> !tile.view<12xf16>
  %same = tile.merge %whole axes 0 to 0 : !tile.view<12xf16> -> !tile.view<12xf16>
  %t = tile.load %same[%c0] : !tile.view<12xf16> -> tensor<16xf16>
  tile.store %t, %y[%c0] : tensor<16xf16>, !tile.view<16xf16>
}

// Windows that overlap stay, and so does a split that leaves a rest.
// FOLDED-LABEL: tile.kernel @overlap
// FOLDED: tile.merge
// FOLDED: tile.merge
tile.kernel @overlap(%x: !tile.view<12xf16>, %y: !tile.view<16xf16>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %overlap = tile.window %x axis 0 extent %c3, window 1 extent %c4, low %c0 {stride = 3}
    : !tile.view<12xf16> -> !tile.view<3x4xf16, #tile.order<0, 1>>
  %a = tile.merge %overlap axes 0 to 1
    : !tile.view<3x4xf16, #tile.order<0, 1>> -> !tile.view<12xf16>
  %rest = tile.window %x axis 0 extent %c2, window 1 extent %c4, low %c0 {stride = 4}
    : !tile.view<12xf16> -> !tile.view<2x4xf16, #tile.order<0, 1>>
  %b = tile.merge %rest axes 0 to 1
    : !tile.view<2x4xf16, #tile.order<0, 1>> -> !tile.view<8xf16>
  %t = tile.load %a[%c0] : !tile.view<12xf16> -> tensor<16xf16>
  %u = tile.load %b[%c0] : !tile.view<8xf16> -> tensor<16xf16>
  %s = arith.addf %t, %u : tensor<16xf16>
  tile.store %s, %y[%c0] : tensor<16xf16>, !tile.view<16xf16>
}

// Merges of merges are one; extents are numbers of the program.
// FOLDED-LABEL: tile.kernel @twice
// FOLDED: tile.merge %x axes 0 to 2 : !tile.view<?x?x?x?xf16> -> !tile.view<?x?xf16>
// FOLDED: %[[N:.*]] = tile.dim %x, 0
// FOLDED: %[[H:.*]] = tile.dim %x, 1
// FOLDED: %[[NH:.*]] = arith.muli %[[N]], %[[H]]
// FOLDED: %[[W:.*]] = tile.dim %x, 2
// FOLDED: arith.muli %[[NH]], %[[W]]
tile.kernel @twice(%x: !tile.view<?x?x?x?xf16>, %y: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %some = tile.merge %x axes 0 to 1 : !tile.view<?x?x?x?xf16> -> !tile.view<?x?x?xf16>
  %all = tile.merge %some axes 0 to 1 : !tile.view<?x?x?xf16> -> !tile.view<?x?xf16>
  %m = tile.dim %all, 0 : !tile.view<?x?xf16>
  %t = tile.load %all[%m, %c0] : !tile.view<?x?xf16> -> tensor<16x16xf16>
  tile.store %t, %y[%c0, %c0] : tensor<16x16xf16>, !tile.view<?x?xf16>
}

// Axes that lie behind one another in memory are one of a view in memory.
// FOLDED-LABEL: tile.kernel @packed
// FOLDED: tile.make_view %p, [%{{.*}}, %c{{.*}}], [%c{{.*}}, %c{{.*}}]
// FOLDED-NOT: tile.merge
tile.kernel @packed(%p: !tile.ptr<f16>, %y: !tile.view<?x?xf16>, %n: index, %h: index, %c: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %image = arith.muli %h, %c : index
  %x = tile.make_view %p, [%n, %h, %c], [%image, %c, %c1]
    : !tile.ptr<f16> -> !tile.view<?x?x?xf16>
  %m = tile.merge %x axes 0 to 1 : !tile.view<?x?x?xf16> -> !tile.view<?x?xf16>
  %t = tile.load %m[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x16xf16>
  tile.store %t, %y[%c0, %c0] : tensor<16x16xf16>, !tile.view<?x?xf16>
}

// Windows that end before the next one begins may be written to.
// CHECK-LABEL: tile.kernel @store_apart
// CHECK: tile.store
tile.kernel @store_apart(%x: !tile.view<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %places = arith.constant 3 : i64
  %c3 = arith.index_cast %places : i64 to index
  %w = tile.window %x axis 0 extent %n, window 1 extent %c3, low %c0 {stride = 5, dilation = 2}
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
  tile.parallel (%i) to (%n) {
    %t = tile.load %w[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<16x4xf16>
    tile.store %t, %w[%i, %c0] : tensor<16x4xf16>, !tile.view<?x?xf16, #tile.order<0, 1>>
  }
}
