// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @debug
tile.kernel @debug(%n: i32) {
  %i = tile.iota : tensor<8xi32>
  %c = arith.cmpi eq, %i, %i : tensor<8xi32>
  // CHECK: tile.assert %{{.*}}, "equal to itself" : tensor<8xi1>
  tile.assert %c, "equal to itself" : tensor<8xi1>
  // CHECK: tile.print "i", %{{.*}}, %n : tensor<8xi32>, i32
  tile.print "i", %i, %n : tensor<8xi32>, i32
  // CHECK: tile.print "here"
  tile.print "here"
}
