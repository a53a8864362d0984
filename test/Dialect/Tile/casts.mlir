// A number that is cut and widened again is itself only where the bits hold it.
// RUN: heddle-opt %s --canonicalize | FileCheck %s
!v = !tile.view<?xi32>

// CHECK-LABEL: tile.kernel @cut
// CHECK: arith.index_cast %{{.*}} : index to i8
// CHECK: arith.index_cast %{{.*}} : i8 to index
// CHECK: arith.index_castui %{{.*}} : index to i32
// CHECK: arith.index_castui %{{.*}} : i32 to index
tile.kernel @cut(%out: !v) {
  %n = tile.dim %out, 0 : !v
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%n) {
    %a = arith.index_cast %i : index to i8
    %b = arith.index_cast %a : i8 to index
    %c = arith.addi %b, %c1 : index
    %d = arith.index_castui %c : index to i32
    %e = arith.index_castui %d : i32 to index
    %x = arith.constant dense<1> : tensor<16xi32>
    tile.store %x, %out[%e] : tensor<16xi32>, !v
  }
}

// CHECK-LABEL: tile.kernel @held
// CHECK-NOT: index_cast
tile.kernel @held(%out: !v) {
  %n = tile.dim %out, 0 : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%n) {
    %a = arith.index_cast %i : index to i32
    %b = arith.index_cast %a : i32 to index
    scf.for %j = %c0 to %n step %c1 {
      %c = arith.index_cast %j : index to i32
      %d = arith.index_cast %c : i32 to index
      %p = arith.muli %d, %b : index
      %e = arith.index_castui %p : index to i64
      %f = arith.index_castui %e : i64 to index
      %x = arith.constant dense<1> : tensor<16xi32>
      tile.store %x, %out[%f] : tensor<16xi32>, !v
    }
  }
}
