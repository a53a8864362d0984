// RUN: heddle-opt %s --split-input-file --tile-mark-apart | FileCheck %s

// Half of a tile is the next one's; where a block lies memory says, twice the same
// perhaps; what is stored is not made of what was loaded.
// CHECK-NOT: tile.apart
tile.kernel @half(%a: !tile.view<?x?xf16>, %y: !tile.ptr<f32>, %m: index, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %view = tile.make_view %y, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    scf.for %row = %c0 to %m step %c32 {
      %x = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %view[%row, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %view[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

tile.kernel @named(%a: !tile.view<?x?xf16>, %y: !tile.ptr<f32>, %pages: !tile.ptr<i32>, %m: index, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %view = tile.make_view %y, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    scf.for %row = %c0 to %m step %c64 {
      %number = arith.index_cast %row : index to i32
      %from = tile.ptr_add %pages, %number : !tile.ptr<i32>, i32
      %page = tile.gather %from : !tile.ptr<i32> -> i32
      %first = arith.index_cast %page : i32 to index
      %at = arith.addi %first, %row : index
      %x = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %view[%at, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %view[%at, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

tile.kernel @unrelated(%a: !tile.view<?x?xf16>, %y: !tile.ptr<f32>, %m: index, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %view = tile.make_view %y, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    scf.for %row = %c0 to %m step %c64 {
      %x = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %view[%row, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %view[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}
