// RUN: heddle-opt %s --sched-mark-steady | FileCheck %s --implicit-check-not=sched.delayed --implicit-check-not=sched.steady
//
// What each iteration needs gets no mark, and a mark from before goes.

// Each iteration stores the sum.
// CHECK-LABEL: tile.kernel @read(
tile.kernel @read(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
    %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
    %here = tile.reduce %t axis 0 {sched.delayed} : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
      %both = arith.addf %p, %q : f32
      tile.yield %both : f32
    }
    %next = arith.addf %l, %here : f32
    %now = tile.splat %next : f32 -> tensor<1xf32>
    tile.store %now, %y[%k] : tensor<1xf32>, !tile.view<?xf32>
    scf.yield %next : f32
  }
}

// Where it turns may be anywhere.
// CHECK-LABEL: tile.kernel @anywhere(
tile.kernel @anywhere(%a: !tile.view<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
    %below = arith.cmpi slt, %i, %m : index
    %y = scf.if %below -> (tensor<64xf32>) {
      %z = arith.negf %x : tensor<64xf32>
      scf.yield %z : tensor<64xf32>
    } else {
      scf.yield %x : tensor<64xf32>
    } {sched.steady = true}
    tile.store %y, %a[%i] : tensor<64xf32>, !tile.view<?xf32>
  }
}
