// RUN: heddle-opt %s --split-input-file --tile-mark-apart | FileCheck %s

// Blocks of rows, one after the other; the launch checks that rows do not overlap.
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.assert assumed %{{.*}}, "rows that the kernel updates in place do not overlap"
// CHECK: tile.load %{{.*}} {tile.apart = 0 : i64} : !tile.view<?x?xf32> -> tensor<64x64xf32>
// CHECK: tile.store %{{.*}} {tile.apart = 0 : i64} : tensor<64x64xf32>
tile.kernel @rows(%a: !tile.view<?x?xf16>, %y: !tile.ptr<f32>, %m: index, %n: index, %stride: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %view = tile.make_view %y, [%m, %n], [%stride, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    %column = arith.muli %i, %c64 : index
    scf.for %row = %c0 to %m step %c64 {
      %x = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %view[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %view[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// Along the rows, which end where the next one begins.
// CHECK-LABEL: tile.kernel @columns
// CHECK-NOT: tile.assert
// CHECK: tile.load %{{.*}} {tile.apart = 0 : i64}
// CHECK: tile.store %{{.*}} {tile.apart = 0 : i64}
tile.kernel @columns(%a: !tile.view<?x?xf16>, %y: !tile.ptr<f32>, %m: index, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %view = tile.make_view %y, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    %row = arith.muli %i, %c64 : index
    scf.for %column = %c0 to %n step %c64 {
      %x = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %view[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %view[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}
