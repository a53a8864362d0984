// Accesses of an instance to one place keep the program's order where processes have parts of their tiles, and
// where a launch makes two views of one pointer: the later store stays, and a load finds what was there before. One
// process has both; TMA's store waits until TMA's before is over.
// DEFINE: %{sizes} = --view x=768x64 --view w=64x64 --view y=98304 --scalar k=64 --scalar count=2 --scalar rows=768 --scalar cols=128
// DEFINE: %{run} = heddle run %t.one.mlir --device=emulator --ints --sms=1 %{sizes}
// DEFINE: %{both} = %{run} --order=fair --scalar shift=128 2>/dev/null | FileCheck %s && %{run} --order=adversarial --seed=1 --scalar shift=32 2>/dev/null | FileCheck %s
// CHECK: variant overwritten (1 of
// CHECK: y (98304xf32): equal to the oracle; right

// Rows that the other process has of the first tile.
// RUN: sed 's/^ *FIRST/    tile.store %acc, %one[%m, %c0] : !sums, !view/; s/^ *SECOND/    tile.store %more, %one[%m64, %c0] : !sums, !view/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: heddle compile %t.one.mlir --emit=hopper 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS-NOT: store-not-tma
// ROWS: hopper.tma_store_wait 0 complete
// ROWS: hopper.tma_store %
// ROWS: hopper.tma_store_wait 0 complete
// ROWS: hopper.tma_store %
// RUN: sed 's/^ *FIRST/    tile.store %acc, %one[%m64, %c0] : !sums, !view/; s/^ *SECOND/    tile.store %more, %one[%m, %c0] : !sums, !view/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}

// A place that only the launch knows.
// RUN: sed 's/^ *FIRST/    tile.store %acc, %one[%m, %c0] : !sums, !view/; s/^ *SECOND/    tile.store %more, %moved[%m, %c0] : !sums, !view/; s/ROWS/64/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: heddle compile %t.one.mlir --emit=hopper 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/^ *FIRST/    tile.store %acc, %one[%m, %c0] : !sums, !view/; s/^ *SECOND/    tile.store %more, %moved[%m, %c0] : !sums, !view/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}

// What is read and what is added there.
// RUN: sed 's/^ *FIRST/    %old = tile.load %one[%m64, %c0] : !view -> !sums/; s/^ *SECOND/    %new = arith.addf %acc, %old : !sums\n    tile.store %new, %one[%m, %c0] : !sums, !view/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: sed 's/^ *FIRST/    tile.view_reduce fadd, %acc, %one[%m, %c0] : !sums, !view/; s/^ *SECOND/    tile.store %more, %one[%m64, %c0] : !sums, !view/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}

// Elements through pointers, in front of a tile and behind it.
// RUN: sed 's/^ *FIRST/    tile.scatter %acc, %at : !sums, !places/; s/^ *SECOND/    tile.store %more, %one[%m, %c0] : !sums, !view/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: sed 's/^ *FIRST/    tile.store %acc, %one[%m, %c0] : !sums, !view/; s/^ *SECOND/    tile.scatter %more, %at : !sums, !places/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}

// A loop's iterations store the rows of the one before once more.
// RUN: sed 's/^ *FIRST/    scf.for %n = %c0 to %c128 step %c64 {\n    %next = arith.addi %m, %n : index/; s/^ *SECOND/    tile.store %more, %one[%next, %c0] : !sums, !view\n    }/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}

// Halves of rows do not meet: two processes have them, and nobody waits.
// RUN: sed 's/^ *FIRST/    tile.store %acc, %one[%m, %c0] : !sums, !view/; s/^ *SECOND/    tile.store %more, %half[%m, %c0] : !sums, !view/; s/ROWS/128/g; s/\[%rows, %cols\], \[%cols, %c1\]/[%rows, %c64], [%c128, %c1]/' %s > %t.one.mlir
// RUN: %{both}
// RUN: heddle compile %t.one.mlir --emit=hopper 2>&1 | FileCheck %s --check-prefix=HALVES
// HALVES-NOT: store-not-tma
// HALVES: hopper.process "mma.0"
// HALVES-NOT: complete
// HALVES: hopper.process "mma.1"
// HALVES: hopper.tma_store %
// HALVES-NOT: complete
!sums = tensor<ROWSx64xf32>
!view = !tile.view<?x?xf32>
!places = tensor<ROWSx64x!tile.ptr<f32>>
tile.kernel @overwritten(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.ptr<f32>, %k: index, %count: index, %rows: index, %cols: index, %shift: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %right = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %ones = tile.splat %f1 : f32 -> !sums
  %one = tile.make_view %y, [%rows, %cols], [%cols, %c1] : !tile.ptr<f32> -> !view
  %behind = tile.ptr_add %y, %shift : !tile.ptr<f32>, i32
  %moved = tile.make_view %behind, [%rows, %cols], [%cols, %c1] : !tile.ptr<f32> -> !view
  %beside = tile.ptr_add %y, %right : !tile.ptr<f32>, i32
  %half = tile.make_view %beside, [%rows, %cols], [%cols, %c1] : !tile.ptr<f32> -> !view
  tile.parallel (%i) to (%count) {
    %m = arith.muli %i, %c256 : index
    %m64 = arith.addi %m, %c64 : index
    %zero = tile.splat %f0 : f32 -> !sums
    %acc = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (!sums) {
      %a = tile.load %x[%m, %c] : !tile.view<?x?xf16> -> tensor<ROWSx64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<ROWSx64xf16>, tensor<64x64xf16> -> !sums
      scf.yield %d : !sums
    }
    %more = arith.addf %acc, %ones : !sums
    %first = arith.index_cast %m64 : index to i32
    %firsts = tile.splat %first : i32 -> tensor<ROWSx1xi32>
    %count_up = tile.iota : tensor<ROWSxi32>
    %numbers = tile.expand_dims %count_up, 1 : tensor<ROWSxi32> -> tensor<ROWSx1xi32>
    %row_of = arith.addi %numbers, %firsts : tensor<ROWSx1xi32>
    %width = arith.index_cast %cols : index to i32
    %widths = tile.splat %width : i32 -> tensor<ROWSx1xi32>
    %begins = arith.muli %row_of, %widths : tensor<ROWSx1xi32>
    %rows_begin = tile.broadcast %begins : tensor<ROWSx1xi32> -> tensor<ROWSx64xi32>
    %columns = tile.iota : tensor<64xi32>
    %column = tile.expand_dims %columns, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %along = tile.broadcast %column : tensor<1x64xi32> -> tensor<ROWSx64xi32>
    %offsets = arith.addi %rows_begin, %along : tensor<ROWSx64xi32>
    %base = tile.splat %y : !tile.ptr<f32> -> !places
    %at = tile.ptr_add %base, %offsets : !places, tensor<ROWSx64xi32>
    FIRST
    SECOND
  }
}
