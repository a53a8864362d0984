// How often a loop goes round stands behind a pointer, and each process reads it for itself: what nobody writes is the same
// for all who read at the same place.
// RUN: rm -rf %t && mkdir %t
// RUN: heddle compile %s --emit=hopper -o %t/k.mlir
// RUN: heddle check %t/k.mlir | FileCheck %s --check-prefix=PROVED
// PROVED: @counted: proved for every trip count (2 processes, 1 ring,

// Another place than the producer's.
// RUN: sed '/process "mma.0"/,$ s/tile.ptr_add %%counts, %[^ ]*/tile.ptr_add %%counts, %%c1/' %t/k.mlir > %t/other.mlir
// RUN: not heddle check %t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: @counted: not proved, because no values of the kernel's arguments were found that lead to these trip counts; no deadlock of ring 'loads'

// Somebody writes what is read, or may do so through an address that was a number.
// DATA: error: @counted: not proved, because control flow depends on data
// RUN: sed '/^ *hopper.process "load"/ s/$/ %%v = tile.gather %%counts : !tile.ptr<i32> -> i32 tile.scatter %%v, %%counts : i32, !tile.ptr<i32>/' %t/k.mlir > %t/written.mlir
// RUN: not heddle check %t/written.mlir 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: sed '/^ *hopper.process "load"/ s/$/ %%v = tile.gather %%counts : !tile.ptr<i32> -> i32 %%w = tile.int_to_ptr %%address : i64 -> !tile.ptr<i32> tile.scatter %%v, %%w : i32, !tile.ptr<i32>/' %t/k.mlir > %t/loose.mlir
// RUN: not heddle check %t/loose.mlir 2>&1 | FileCheck %s --check-prefix=DATA

tile.kernel @counted(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %counts: !tile.ptr<i32>, %c: !tile.ptr<f32>,
                     %address: i64, %tiles: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %c64_i32 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  %gm = arith.index_cast %tiles : i32 to index
  tile.parallel (%i) to (%gm) {
    %number = arith.index_cast %i : index to i32
    %isThere = arith.cmpi slt, %number, %tiles : i32
    %at = tile.ptr_add %counts, %i : !tile.ptr<i32>, index
    %count = tile.gather %at mask %isThere : i1 other %c0_i32 : i32 : !tile.ptr<i32> -> i32
    %k32 = arith.muli %count, %c64_i32 : i32
    %k = arith.index_cast %k32 : i32 to index
    %row = arith.muli %i, %c64 : index
    %m = arith.muli %gm, %c64 : index
    %x_view = tile.make_view %a, [%m, %k], [%k, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %y_view = tile.make_view %b, [%k, %c64], [%c64, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %z_view = tile.make_view %c, [%m, %c64], [%c64, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %x_view[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %y_view[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %z_view[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
