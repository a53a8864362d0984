// Loops count in exact integers, whatever their bits: up to the largest number, over more numbers than their bits count, and
// from constants, which are not taken from each other in few bits. Code for the CPU executes them; that for Hopper declines what it cannot count.
// RUN: heddle run %s --device=cpu --view o=2 --kernel whole | FileCheck %s
// RUN: heddle run %s --device=cpu --view o=2 --kernel last | FileCheck %s
// RUN: heddle run %s --device=cpu --view o=2 --kernel wide | FileCheck %s
// RUN: heddle run %s --device=cpu --view o=2 --kernel between --scalar low=-128 --scalar high=127 | FileCheck %s
// RUN: heddle run %s --device=cpu --view o=2 --kernel between --scalar low=3 --scalar high=3 | FileCheck %s
// RUN: heddle run %s --device=cpu --view o=2 --kernel between --scalar low=5 --scalar high=-5 | FileCheck %s
// CHECK: equal to the oracle; right
// RUN: heddle-opt %s --canonicalize | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: @whole
// KEPT: scf.for
// KEPT-LABEL: @last
// KEPT: scf.for
// A loop that runs once, or never, goes.
// KEPT-LABEL: @small
// KEPT-NOT: scf.for
// KEPT-LABEL: @wide
// KEPT: scf.for
!o = !tile.view<?xi64>
!one = tensor<1xi64>
tile.kernel @whole(%o: !o) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %low = arith.constant -128 : i8
  %high = arith.constant 127 : i8
  %step = arith.constant 100 : i8
  tile.parallel (%p) to (%c1) {
    %r:2 = scf.for %i = %low to %high step %step iter_args(%n = %zero, %t = %zero) -> (i64, i64) : i8 {
      %wide = arith.extsi %i : i8 to i64
      %more = arith.addi %n, %one : i64
      %sum = arith.addi %t, %wide : i64
      scf.yield %more, %sum : i64, i64
    }
    %x = tile.splat %r#0 : i64 -> !one
    %y = tile.splat %r#1 : i64 -> !one
    tile.store %x, %o[%c0] : !one, !o
    tile.store %y, %o[%c1] : !one, !o
  }
}
tile.kernel @last(%o: !o) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %low = arith.constant -2147483648 : i32
  %high = arith.constant 2147483647 : i32
  tile.parallel (%p) to (%c1) {
    %r:2 = scf.for %i = %low to %high step %high iter_args(%n = %zero, %t = %zero) -> (i64, i64) : i32 {
      %wide = arith.extsi %i : i32 to i64
      %more = arith.addi %n, %one : i64
      %sum = arith.addi %t, %wide : i64
      scf.yield %more, %sum : i64, i64
    }
    %x = tile.splat %r#0 : i64 -> !one
    %y = tile.splat %r#1 : i64 -> !one
    tile.store %x, %o[%c0] : !one, !o
    tile.store %y, %o[%c1] : !one, !o
  }
}
tile.kernel @small(%o: !o) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %low = arith.constant -60 : i8
  %high = arith.constant 60 : i8
  %step = arith.constant 120 : i8
  tile.parallel (%p) to (%c1) {
    %once = scf.for %i = %low to %high step %step iter_args(%n = %zero) -> (i64) : i8 {
      %wide = arith.extsi %i : i8 to i64
      scf.yield %wide : i64
    }
    %never = scf.for %i = %high to %low step %step iter_args(%n = %once) -> (i64) : i8 {
      %more = arith.addi %n, %one : i64
      scf.yield %more : i64
    }
    %x = tile.splat %never : i64 -> !one
    tile.store %x, %o[%c0] : !one, !o
  }
}
tile.kernel @wide(%o: !o) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %low = arith.constant -9223372036854775808 : i64
  %high = arith.constant 9223372036854775807 : i64
  %step = arith.constant 5000000000000000000 : i64
  tile.parallel (%p) to (%c1) {
    %r:2 = scf.for %i = %low to %high step %step iter_args(%n = %zero, %t = %zero) -> (i64, i64) : i64 {
      %more = arith.addi %n, %one : i64
      %sum = arith.addi %t, %i : i64
      scf.yield %more, %sum : i64, i64
    }
    %x = tile.splat %r#0 : i64 -> !one
    %y = tile.splat %r#1 : i64 -> !one
    tile.store %x, %o[%c0] : !one, !o
    tile.store %y, %o[%c1] : !one, !o
  }
}
tile.kernel @between(%o: !o, %low: i8, %high: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i8
  tile.parallel (%p) to (%c1) {
    %r:2 = scf.for %i = %low to %high step %step iter_args(%n = %zero, %t = %zero) -> (i64, i64) : i8 {
      %wide = arith.extsi %i : i8 to i64
      %more = arith.addi %n, %one : i64
      %sum = arith.addi %t, %wide : i64
      scf.yield %more, %sum : i64, i64
    }
    %x = tile.splat %r#0 : i64 -> !one
    %y = tile.splat %r#1 : i64 -> !one
    tile.store %x, %o[%c0] : !one, !o
    tile.store %y, %o[%c1] : !one, !o
  }
}
