// RUN: heddle-opt %s --split-input-file --tile-carry-memory | FileCheck %s

// The place moves.
// CHECK-LABEL: tile.kernel @moves
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: tile.store
tile.kernel @moves(%a: !tile.view<?x?xf16>, %s: !tile.ptr<f32>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %states = tile.make_view %s, [%n, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    scf.for %k = %c0 to %n step %c64 {
      %x = tile.load %a[%c0, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %states[%k, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %states[%k, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// Something else in the loop reads what is stored.
// CHECK-LABEL: tile.kernel @read
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: tile.store
tile.kernel @read(%a: !tile.view<?x?xf16>, %s: !tile.ptr<f32>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %states = tile.make_view %s, [%n, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  tile.parallel (%i) to (%count) {
    scf.for %k = %c0 to %n step %c64 {
      %x = tile.load %a[%c0, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %other = tile.load %states[%k, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %old = tile.load %states[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %sum = arith.addf %old, %other : tensor<64x64xf32>
      %new = tile.dot %x, %x, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %states[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// A number from memory says where the view ends: an instance without iterations may not
// have such memory.
// CHECK-LABEL: tile.kernel @local
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: tile.store
tile.kernel @local(%a: !tile.view<?x?xf16>, %s: !tile.ptr<f32>, %m: !tile.ptr<i32>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%count) {
    %rows = tile.gather %m : !tile.ptr<i32> -> i32
    %end = arith.index_cast %rows : i32 to index
    %states = tile.make_view %s, [%end, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    scf.for %k = %c0 to %n step %c64 {
      %x = tile.load %a[%c0, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %old = tile.load %states[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %new = tile.dot %x, %x, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %new, %states[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}
