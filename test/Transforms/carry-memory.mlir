// RUN: heddle-opt %s --split-input-file --tile-carry-memory --canonicalize | FileCheck %s

// A state that lies in memory: loaded in front, stored behind if there was an iteration.
// All of the tile lies in the view, whatever the instance.
// CHECK-LABEL: tile.kernel @state
// CHECK: tile.parallel (%[[I:.*]]) to
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c64
// CHECK: %[[FIRST:.*]] = tile.load %[[S:.*]][%[[AT]], %c0]
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[NOW:.*]] = %[[FIRST]])
// CHECK-NOT: tile.store
// CHECK: %[[NEXT:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[NOW]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %n, %c0
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: tile.store %[[LAST]], %[[S]][%[[AT]], %c0]
tile.kernel @state(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %s: !tile.ptr<f32>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.muli %count, %c64 : index
  %states = tile.make_view %s, [%rows, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    scf.for %k = %c0 to %n step %c64 {
      %at = arith.muli %i, %c64 : index
      %x = tile.load %a[%c0, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %states[%at, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %y, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %states[%at, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// The view may end within the tile: behind its end the next iteration reads 0.
// CHECK-LABEL: tile.kernel @cut
// CHECK: %[[LEFT:.*]] = tile.splat %{{.*}} : index -> tensor<64x64xindex>
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %[[LEFT]]
// CHECK: scf.for
// CHECK: %[[NEXT:.*]] = tile.dot
// CHECK: %[[KEPT:.*]] = arith.select %[[INSIDE]], %[[NEXT]], %{{.*}}
// CHECK: scf.yield %[[KEPT]]
tile.kernel @cut(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %s: !tile.ptr<f32>, %n: index, %m: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %states = tile.make_view %s, [%m, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    %at = arith.muli %i, %c64 : index
    scf.for %k = %c0 to %n step %c64 {
      %x = tile.load %a[%c0, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %states[%at, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %y, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %states[%at, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}
