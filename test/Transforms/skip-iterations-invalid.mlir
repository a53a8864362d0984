// RUN: heddle-opt %s --split-input-file --tile-skip-iterations | FileCheck %s
// Loops that stay: each iteration does something, or another number than the loop's, or one that the kernel
// writes, decides.

// An iteration that does not multiply changes the sum.
// CHECK-LABEL: tile.kernel @doubles
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
tile.kernel @doubles(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.cmpi sgt, %c, %from : index
      %next = scf.if %far -> (tensor<64x64xf32>) {
        %half = arith.addf %s, %s : tensor<64x64xf32>
        scf.yield %half : tensor<64x64xf32>
      } else {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Each iteration stores.
// CHECK-LABEL: tile.kernel @stores
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
tile.kernel @stores(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.cmpi sgt, %c, %from : index
      %next = scf.if %far -> (tensor<64x64xf32>) {
        scf.yield %s : tensor<64x64xf32>
      } else {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      tile.store %next, %y[%i, %c] : tensor<64x64xf32>, !tile.view<?x?xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// The kernel may write the flags.
// CHECK-LABEL: tile.kernel @writes
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
tile.kernel @writes(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %p = tile.ptr_add %flags, %c : !tile.ptr<i32>, index
      %flag = tile.gather %p : !tile.ptr<i32> -> i32
      %is = arith.cmpi ne, %flag, %no : i32
      %next = scf.if %is -> (tensor<64x64xf32>) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        tile.scatter %no, %flags : i32, !tile.ptr<i32>
        scf.yield %d : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// What the products before have made decides.
// CHECK-LABEL: tile.kernel @counts
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
tile.kernel @counts(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum:2 = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero, %n = %c0) -> (tensor<64x64xf32>, index) {
      %far = arith.cmpi slt, %n, %from : index
      %next:2 = scf.if %far -> (tensor<64x64xf32>, index) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        %more = arith.addi %n, %c : index
        scf.yield %d, %more : tensor<64x64xf32>, index
      } else {
        scf.yield %s, %n : tensor<64x64xf32>, index
      }
      scf.yield %next#0, %next#1 : tensor<64x64xf32>, index
    }
    tile.store %sum#0, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Numbers without a sign.
// CHECK-LABEL: tile.kernel @unsigned
// CHECK: scf.for unsigned
// CHECK: scf.if
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
tile.kernel @unsigned(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for unsigned %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.cmpi sgt, %c, %from : index
      %next = scf.if %far -> (tensor<64x64xf32>) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// A tile decides that the kernel writes.
// CHECK-LABEL: tile.kernel @wrote
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
tile.kernel @wrote(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %of: !tile.view<?xi32>, %y: !tile.view<?x?xf32>, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %columns = tile.load %of[%c] : !tile.view<?xi32> -> tensor<64xi32>
      %most = tile.reduce %columns axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {
        %r = arith.maxsi %p, %q : i32
        tile.yield %r : i32
      }
      %is = arith.cmpi sgt, %most, %no : i32
      %next = scf.if %is -> (tensor<64x64xf32>) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    %none = tile.splat %no : i32 -> tensor<64xi32>
    tile.store %none, %of[%c0] : tensor<64xi32>, !tile.view<?xi32>
  }
}
