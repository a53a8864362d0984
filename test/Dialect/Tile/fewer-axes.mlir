// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

// A tile of fewer axes than its view covers the last ones.
// CHECK-LABEL: tile.kernel @heads
// CHECK: tile.load %q[%head, %row, %{{.*}}] : !tile.view<?x?x?xf16> -> tensor<64x32xf16>
// CHECK: tile.store %{{.*}}, %o[%head, %row, %{{.*}}] : tensor<64x32xf16>, !tile.view<?x?x?xf16>
tile.kernel @heads(%q: !tile.view<?x?x?xf16>, %o: !tile.view<?x?x?xf16>, %head: index, %row: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?xf16> -> tensor<64x32xf16>
  tile.store %x, %o[%head, %row, %c0] : tensor<64x32xf16>, !tile.view<?x?x?xf16>
}

// Axes of extent 1 in front, made or dropped by a reshape, are not loaded or
// stored at all.
// CANON-LABEL: tile.kernel @ones
// CANON: %[[X:.*]] = tile.load %q{{.*}} -> tensor<64x32xf16>
// CANON-NOT: tile.reshape
// CANON: tile.store %[[X]], %o{{.*}} : tensor<64x32xf16>, !tile.view<?x?x?xf16>
tile.kernel @ones(%q: !tile.view<?x?x?xf16>, %o: !tile.view<?x?x?xf16>, %head: index, %row: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?xf16> -> tensor<1x64x32xf16>
  %y = tile.reshape %x : tensor<1x64x32xf16> -> tensor<64x32xf16>
  %z = tile.reshape %y : tensor<64x32xf16> -> tensor<1x64x32xf16>
  tile.store %z, %o[%head, %row, %c0] : tensor<1x64x32xf16>, !tile.view<?x?x?xf16>
}

// A load that others read whole stays, and so does a reshape that moves the ones.
// CANON-LABEL: tile.kernel @kept
// CANON: tile.load {{.*}} -> tensor<1x64x32xf16>
// CANON: tile.reshape
// CANON: tile.reshape {{.*}} -> tensor<64x1x32xf16>
tile.kernel @kept(%q: !tile.view<?x?x?xf16>, %o: !tile.view<?x?x?xf16>, %p: !tile.view<?x?xf16>,
                  %head: index, %row: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?xf16> -> tensor<1x64x32xf16>
  %y = tile.reshape %x : tensor<1x64x32xf16> -> tensor<64x32xf16>
  tile.store %x, %o[%head, %row, %c0] : tensor<1x64x32xf16>, !tile.view<?x?x?xf16>
  tile.store %y, %p[%row, %c0] : tensor<64x32xf16>, !tile.view<?x?xf16>
  %w = tile.reshape %y : tensor<64x32xf16> -> tensor<64x1x32xf16>
  tile.store %w, %o[%row, %head, %c0] : tensor<64x1x32xf16>, !tile.view<?x?x?xf16>
}
