// RUN: heddle-opt %s --split-input-file --tile-write-counted --canonicalize --cse --tile-merge-instances --canonicalize --cse | FileCheck %s

// Every n-th row, n being the number of programs.
// CHECK-LABEL: tile.kernel @rows
// CHECK: %[[ROWS:.*]] = arith.maxsi
// CHECK: tile.assert
// CHECK: tile.parallel (%[[I:.*]]) to (%[[ROWS]])
// CHECK-NOT: scf.for
// CHECK: tile.load %x[%[[I]], %c0]
tile.kernel @rows(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %rows: i32, %grid: i32) {
  %c0 = arith.constant 0 : index
  %count = arith.index_cast %grid : i32 to index
  tile.parallel (%i) to (%count) {
    %end = arith.index_cast %rows : i32 to index
    scf.for %row = %i to %end step %count {
      %v = tile.load %x[%row, %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
      tile.store %v, %y[%row, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// Every 132nd; a second number counts beside the first, 132 behind.
// CHECK-LABEL: tile.kernel @beside
// CHECK: tile.assert
// CHECK: tile.assert
// CHECK: tile.parallel (%[[I:.*]]) to
// CHECK-NOT: scf.for
// CHECK: tile.load %x[%[[I]], %c0]
// CHECK: tile.store %{{.*}}, %y[%[[I]], %c0]
tile.kernel @beside(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %rows: i32, %grid: i32) {
  %c0 = arith.constant 0 : index
  %c132 = arith.constant 132 : index
  %c132_i32 = arith.constant 132 : i32
  %count = arith.index_cast %grid : i32 to index
  tile.parallel (%i) to (%count) {
    %number = arith.index_cast %i : index to i32
    %before = arith.subi %number, %c132_i32 : i32
    %end = arith.index_cast %rows : i32 to index
    %last = scf.for %row = %i to %end step %c132 iter_args(%at = %before) -> (i32) {
      %v = tile.load %x[%row, %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
      %next = arith.addi %at, %c132_i32 : i32
      %there = arith.index_cast %next : i32 to index
      tile.store %v, %y[%there, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
      scf.yield %next : i32
    }
  }
}

// -----

// Which program does it is written down.
// CHECK-LABEL: tile.kernel @known
// CHECK: scf.for
tile.kernel @known(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %rows: i32, %grid: i32) {
  %c0 = arith.constant 0 : index
  %count = arith.index_cast %grid : i32 to index
  tile.parallel (%i) to (%count) {
    %end = arith.index_cast %rows : i32 to index
    scf.for %row = %i to %end step %count {
      %v = tile.load %x[%row, %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
      tile.store %v, %y[%i, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

// A row may read what the one before wrote.
// CHECK-LABEL: tile.kernel @chained
// CHECK: scf.for
tile.kernel @chained(%x: !tile.view<?x?xf32>, %rows: i32, %grid: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %grid : i32 to index
  tile.parallel (%i) to (%count) {
    %end = arith.index_cast %rows : i32 to index
    scf.for %row = %i to %end step %count {
      %v = tile.load %x[%row, %c0] : !tile.view<?x?xf32> -> tensor<64xf32>
      %next = arith.addi %row, %c1 : index
      tile.store %v, %x[%next, %c0] : tensor<64xf32>, !tile.view<?x?xf32>
    }
  }
}
