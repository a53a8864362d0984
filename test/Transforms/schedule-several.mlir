// RUN: heddle-opt %s --step-to-sched | FileCheck %s
// Two loops on one sum: the process that holds half of it behind the first carries that half
// on, and the rings of both fit shared memory together. Alone, either would fill it, and one
// process would do for the second.

// CHECK: sched.plan @carried_on
// CHECK: sched.ring "load_a" depth 1
// CHECK: sched.ring "load_a_2" depth 1
// CHECK: sched.table "loop"
// CHECK: "dot.0" {{.*}} in "mma.0"
// CHECK: "dot.1" {{.*}} in "mma.1"
// CHECK: "dot_2.0" {{.*}} in "mma.0"
// CHECK: "dot_2.1" {{.*}} in "mma.1"
// CHECK: sched.table "loop_2"
// CHECK: "dot_3.0" {{.*}} in "mma.0"
// CHECK: "dot_3.1" {{.*}} in "mma.1"
tile.kernel @carried_on(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %g = arith.ceildivui %m, %c128 : index
  tile.parallel (%i) to (%g) {
    %row = arith.muli %i, %c128 : index
    %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
    %first = scf.for %kk = %c0 to %h step %c256 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<128x128xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<128x128xf16>
      %d = tile.dot %x, %y, %acc : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
      %next = arith.addi %kk, %c128 : index
      %v = tile.load %a[%row, %next] : !tile.view<?x?xf16> -> tensor<128x128xf16>
      %w = tile.load %b[%next, %c0] : !tile.view<?x?xf16> -> tensor<128x128xf16>
      %e = tile.dot %v, %w, %d : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
      scf.yield %e : tensor<128x128xf32>
    }
    %sum = scf.for %kk = %h to %k step %c128 iter_args(%acc = %first) -> (tensor<128x128xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<128x128xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<128x128xf16>
      %d = tile.dot %x, %y, %acc : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tile.store %sum, %c[%row, %c0] : tensor<128x128xf32>, !tile.view<?x?xf32>
  }
}
