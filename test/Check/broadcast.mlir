// A number from memory decides how often both ends of a ring go round. The
// producer hands it on through a ring of its own.
// RUN: split-file %s %t
// RUN: heddle check %t/bag.mlir --kernel bag_general | FileCheck %s --check-prefix=PROVED
// PROVED: @bag_general: proved for every trip count (2 processes, 2 rings,
// DEFINE: %{run} = --oracle %t/oracle.mlir --device=emulator --order=adversarial --ints --view a=100x61
// RUN: heddle run %t/bag.mlir %{run} --sms 2 --view lens=5 --view out=80x61 --values lens=3,0,1,6,2 | FileCheck %s --check-prefix=RIGHT
// RIGHT: out (80x61xf16): equal to the oracle; right

// The consumer expects a tile more than the number says.
// RUN: sed 's/%i = %c0 to %wanted/%i = %c0 to %more/' %t/bag.mlir > %t/more.mlir
// RUN: not heddle check %t/more.mlir --kernel bag_general > %t/out 2>&1; FileCheck %s --check-prefix=MORE < %t/out
// MORE: error: @bag_general: {{.*}} [protocol-fault]
// MORE: with each element of lens = [[N:[0-9]+]]
// MORE: replay: heddle run --device=emulator --sms 1 --order=adversarial --view a={{[0-9x]+}} --view lens=[[M:[0-9]+]] --values lens=[[N]] --view out=
// RUN: not heddle run %t/more.mlir %{run} --sms 1 --view lens=4 --view out=80x61 --values lens=4 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: deadlock; nobody can go on

// What is handed on is the next tile's number: 0 behind the last.
// RUN: sed 's/tile.splat %number/tile.splat %following/' %t/bag.mlir > %t/next.mlir
// RUN: not heddle check %t/next.mlir --kernel bag_general > %t/out 2>&1; FileCheck %s --check-prefix=NEXT < %t/out
// NEXT: error: @bag_general: {{.*}} [protocol-fault]
// NEXT: with dim(lens, 0) = [[M:[1-9][0-9]*]]
// NEXT: with each element of lens = {{[1-9]}}
// RUN: not heddle run %t/next.mlir %{run} --sms 1 --view lens=1 --view out=80x61 --values lens=3 2>&1 | FileCheck %s --check-prefix=REPLAY

// The consumer counts with the number of the tile before.
// RUN: sed 's/index_cast %received/index_cast %before/' %t/bag.mlir > %t/before.mlir
// RUN: not heddle check %t/before.mlir --kernel bag_general 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: error: @bag_general: not proved, because control flow depends on data

//--- bag.mlir
!rows = tensor<16x64xf16>
!ring = !aref.ring<[!rows]>
!count = tensor<1xi32>
!counts = !aref.ring<[!count]>
!numbers = !tile.view<?xi32>
tile.kernel @bag(%a: !tile.view<?x?xf16>, %lens: !numbers, %out: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = tile.dim %lens, 0 : !numbers
  %worker = tile.worker_id : index
  %workers = tile.worker_count : index
  %counts = aref.ring "counts" depth 2 : !counts
  %ring = aref.ring "rows" depth 2 : !ring
  aref.process "load" warps 4 registers 0 {
    %first_count = aref.first_turn %counts : !counts
    %first_row = aref.first_turn %ring : !ring
    %ends:2 = scf.for %t = %worker to %n step %workers iter_args(%count_turn = %first_count, %row_turn = %first_row) -> (!aref.turn, !aref.turn) {
      %loaded = tile.load %lens[%t] : !numbers -> !count
      %number = tile.unsplat %loaded : !count -> i32
      %t_next = arith.addi %t, %c1 : index
      %loaded_next = tile.load %lens[%t_next] : !numbers -> !count
      %following = tile.unsplat %loaded_next : !count -> i32
      %said = tile.splat %number : i32 -> !count
      %slot, %count_next = aref.acquire %counts[%count_turn] : !counts
      aref.publish %counts[%slot], %said : !counts, !count
      %steps = arith.index_cast %number : i32 to index
      %row_end = scf.for %i = %c0 to %steps step %c1 iter_args(%turn = %row_turn) -> (!aref.turn) {
        %row = arith.muli %i, %c16 : index
        %free, %next = aref.acquire %ring[%turn] : !ring
        %tile = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> !rows
        aref.publish %ring[%free], %tile : !ring, !rows
        scf.yield %next : !aref.turn
      }
      scf.yield %count_next, %row_end : !aref.turn, !aref.turn
    }
  }
  aref.process "add" warps 4 registers 0 {
    %first_count = aref.first_turn %counts : !counts
    %first_row = aref.first_turn %ring : !ring
    %zero = arith.constant 0.0 : f16
    %zero_i32 = arith.constant 0 : i32
    %none = tile.splat %zero : f16 -> !rows
    %ends:3 = scf.for %t = %worker to %n step %workers iter_args(%count_turn = %first_count, %row_turn = %first_row, %before = %zero_i32) -> (!aref.turn, !aref.turn, i32) {
      %slot, %count_next, %count = aref.get %counts[%count_turn] : !counts -> !count
      %received = tile.unsplat %count : !count -> i32
      aref.release %counts[%slot] after %count : !counts, !count
      %wanted = arith.index_cast %received : i32 to index
      %more = arith.addi %wanted, %c1 : index
      %row_end, %sum = scf.for %i = %c0 to %wanted step %c1 iter_args(%turn = %row_turn, %acc = %none) -> (!aref.turn, !rows) {
        %full, %next, %tile = aref.get %ring[%turn] : !ring -> !rows
        %added = arith.addf %acc, %tile : !rows
        aref.release %ring[%full] after %added : !ring, !rows
        scf.yield %next, %added : !aref.turn, !rows
      }
      %at = arith.muli %t, %c16 : index
      tile.store %sum, %out[%at, %c0] : !rows, !tile.view<?x?xf16>
      scf.yield %count_next, %row_end, %received : !aref.turn, !aref.turn, i32
    }
  }
}

//--- oracle.mlir
tile.kernel @bag(%a: !tile.view<?x?xf16>, %lens: !tile.view<?xi32>, %out: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %none = tile.splat %zero : f16 -> tensor<16x64xf16>
  %n = tile.dim %lens, 0 : !tile.view<?xi32>
  tile.parallel (%t) to (%n) {
    %loaded = tile.load %lens[%t] : !tile.view<?xi32> -> tensor<1xi32>
    %number = tile.unsplat %loaded : tensor<1xi32> -> i32
    %steps = arith.index_cast %number : i32 to index
    %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (tensor<16x64xf16>) {
      %row = arith.muli %i, %c16 : index
      %tile = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %added = arith.addf %acc, %tile : tensor<16x64xf16>
      scf.yield %added : tensor<16x64xf16>
    }
    %at = arith.muli %t, %c16 : index
    tile.store %sum, %out[%at, %c0] : tensor<16x64xf16>, !tile.view<?x?xf16>
  }
}
