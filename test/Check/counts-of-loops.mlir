// How often a loop goes round is counted by a loop in front of it, which each process repeats: what a loop over numbers
// finds is a function of what it reads from outside.
// RUN: rm -rf %t && mkdir %t
// RUN: heddle compile %s --emit=hopper -o %t/k.mlir
// RUN: heddle check %t/k.mlir | FileCheck %s --check-prefix=PROVED
// PROVED: @chosen: proved for every trip count (2 processes, 1 ring,

// The consumer counts other flags than the producer, or begins at another place.
// RUN: sed '/process "mma.0"/,$ s/arith.cmpi ne, \(%[^ ]*\), %c0_i32/arith.cmpi sgt, \1, %c0_i32/' %t/k.mlir > %t/other.mlir
// RUN: not cmp %t/k.mlir %t/other.mlir
// RUN: not heddle check %t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed '/process "mma.0"/,$ s/tile.ptr_add %%flags, %[^ ]*/tile.ptr_add %%flags, %%c1/' %t/k.mlir > %t/place.mlir
// RUN: not heddle check %t/place.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: @chosen: not proved, because {{.*}} no deadlock of ring 'loads'

// Somebody writes the flags.
// RUN: sed '/^ *hopper.process "load"/ s/$/ %%v = tile.gather %%flags : !tile.ptr<i32> -> i32 tile.scatter %%v, %%flags : i32, !tile.ptr<i32>/' %t/k.mlir > %t/written.mlir
// RUN: not heddle check %t/written.mlir 2>&1 | FileCheck %s --check-prefix=DATA
// DATA: error: @chosen: not proved, because control flow depends on data

tile.kernel @chosen(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %c: !tile.view<?x?xf32>,
                    %blocks: index, %tiles: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%tiles) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %count = scf.for %q = %c0 to %blocks step %c1 iter_args(%n = %c0) -> (index) {
      %at = tile.ptr_add %flags, %q : !tile.ptr<i32>, index
      %flag = tile.gather %at : !tile.ptr<i32> -> i32
      %is = arith.cmpi ne, %flag, %c0_i32 : i32
      %one = arith.select %is, %c1, %c0 : index
      %more = arith.addi %n, %one : index
      scf.yield %more : index
    }
    %acc = scf.for %kk = %c0 to %count step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %column = arith.muli %kk, %c64 : index
      %x = tile.load %a[%row, %column] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%column, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
