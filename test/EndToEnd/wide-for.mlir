// Loops and products whose numbers leave 32 bits.
// RUN: split-file %s %t
// DEFINE: %{run} = heddle run --device=emulator --order=adversarial

// Both bounds lie beyond 2^40; the points, not only their number, are added up.
// RUN: %{run} %t/bounds.ttir --view out_ptr=1 --scalar lo=1099511627776 --scalar hi=1099511627779 --scalar grid_x=1 2>/dev/null | FileCheck %s
// RUN: %{run} %t/bounds.ttir --view out_ptr=1 --scalar lo=-9223372036854775808 --scalar hi=-9223372036854775805 --scalar grid_x=1 2>/dev/null | FileCheck %s
// RUN: %{run} %t/bounds.ttir --view out_ptr=1 --scalar lo=9223372036854775805 --scalar hi=9223372036854775807 --scalar grid_x=1 2>/dev/null | FileCheck %s
// RUN: %{run} %t/bounds.ttir --view out_ptr=1 --scalar lo=1099511627779 --scalar hi=1099511627776 --scalar grid_x=1 2>/dev/null | FileCheck %s

// The point behind the last one would be 2^31: the loop counts in 32 bits, so the launch is refused.
// RUN: not %{run} %t/last.mlir --view out=1 --scalar n=2147483647 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: no variant of kernel 'k' fits these arguments {{.*}}indices of 32 bits hold the numbers at line 6
// RUN: %{run} %t/last.mlir --view out=1 --scalar n=1073741824 2>/dev/null | FileCheck %s --check-prefix=LAST
// RUN: %{run} %t/last.mlir --view out=1 --scalar n=-2147483648 2>/dev/null | FileCheck %s --check-prefix=LAST

// A product of an argument and 2^32 is positive where the argument is.
// RUN: %{run} %t/product.mlir --view out=1 --scalar n=3 2>/dev/null | FileCheck %s --check-prefix=LAST
// RUN: %{run} %t/product.mlir --view out=1 --scalar n=-3 2>/dev/null | FileCheck %s --check-prefix=LAST

// CHECK: out_ptr (1xi64): equal to the oracle; right
// LAST: out (1xi64): equal to the oracle; right

//--- bounds.ttir
module {
  tt.func public @bounds(%out_ptr: !tt.ptr<i64>, %lo: i64, %hi: i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %sum = scf.for %i = %lo to %hi step %c1 iter_args(%acc = %c0) -> (i64) : i64 {
      %next = arith.addi %acc, %i : i64
      scf.yield %next : i64
    }
    tt.store %out_ptr, %sum : !tt.ptr<i64>
    tt.return
  }
}

//--- last.mlir
tile.kernel @k(%out: !tile.view<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 1073741824 : index
  tile.parallel (%i) to (%c1) {
    %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %c1) -> (index) {
      %next = arith.addi %acc, %c1 : index
      scf.yield %next : index
    }
    %number = arith.index_cast %sum : index to i64
    %tile = tile.splat %number : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}

//--- product.mlir
tile.kernel @k(%out: !tile.view<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %large = arith.constant 4294967296 : index
  tile.parallel (%i) to (%c1) {
    %product = arith.muli %n, %large : index
    %positive = arith.cmpi sgt, %product, %c0 : index
    %number = arith.extui %positive : i1 to i64
    %tile = tile.splat %number : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}
