// RUN: heddle-opt %s --sched-mark-steady --aref-to-hopper --split-input-file | FileCheck %s --implicit-check-not=by_thread
// RUN: sed 's/tile.reduce %%t axis 0 :/tile.reduce %%t axis 0 {sched.delayed} :/' %s | heddle-opt --aref-to-hopper --split-input-file | FileCheck %s --implicit-check-not=by_thread
//
// Sums whose parts must meet in the loop: they get no mark, and a mark that somebody
// wrote changes nothing.

// Each iteration stores it.
// CHECK-LABEL: hopper.kernel @read(
tile.kernel @read(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %next = arith.addf %l, %here : f32
      %now = tile.splat %next : f32 -> tensor<1xf32>
      tile.store %now, %y[%k] : tensor<1xf32>, !tile.view<?xf32>
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}

// -----

// A product of two sums is none.
// CHECK-LABEL: hopper.kernel @squared(
tile.kernel @squared(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %square = arith.mulf %here, %here : f32
      %next = arith.addf %l, %square : f32
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}

// -----

// Nor is what is divided by one.
// CHECK-LABEL: hopper.kernel @divisor(
tile.kernel @divisor(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %more = arith.addf %l, %here : f32
      %next = arith.divf %more, %here : f32
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}

// -----

// What is added beside it would count once for each thread.
// CHECK-LABEL: hopper.kernel @addend(
tile.kernel @addend(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %j = arith.index_cast %k : index to i32
      %number = arith.sitofp %j : i32 to f32
      %more = arith.addf %l, %number : f32
      %next = arith.addf %more, %here : f32
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}

// -----

// A comparison needs the total.
// CHECK-LABEL: hopper.kernel @condition(
tile.kernel @condition(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %more = arith.addf %l, %here : f32
      %small = arith.cmpf olt, %more, %f0 : f32
      %next = arith.select %small, %f0, %more : f32
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}

// -----

// A maximum is no sum.
// CHECK-LABEL: hopper.kernel @largest(
tile.kernel @largest(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  aref.process "all" warps 4 registers 0 {
    %sum = scf.for %k = %c0 to %n step %c512 iter_args(%l = %f0) -> (f32) {
      %t = tile.load %x[%k] : !tile.view<?xf32> -> tensor<512xf32>
      %here = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %m = tile.reduce %t axis 0 : tensor<512xf32> -> f32 combine (%p: f32, %q: f32) {
        %larger = arith.maximumf %p, %q : f32
        tile.yield %larger : f32
      }
      %next = arith.addf %l, %m : f32
      scf.yield %next : f32
    }
    %one = tile.splat %sum : f32 -> tensor<1xf32>
    tile.store %one, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}
