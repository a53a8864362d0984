// RUN: heddle-opt %s --aref-to-hopper | FileCheck %s
//
// On the aref rung a value outlives its slot. A tile that is stored an iteration after its
// slot was given back, and one that is stored behind the release, are in registers by then:
// no thread reads a slot that it has given back.

// CHECK-LABEL: hopper.kernel @later(
// CHECK: hopper.process "store"
// CHECK: hopper.wait "x" "full"
// CHECK: %[[FIRST:.*]] = hopper.local_load
// CHECK: hopper.arrive "x" "empty"
// CHECK-NOT: hopper.local_load
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[OLD:.*]] = %[[FIRST]]
// CHECK: hopper.wait "x" "full"
// CHECK: %[[NEXT:.*]] = hopper.local_load
// CHECK: hopper.arrive "x" "empty"
// CHECK-NOT: hopper.local_load
// CHECK: scf.yield {{.*}}%[[NEXT]]

!view = !tile.view<?x?xf32>
!tile = tensor<64x32xf32>
!ring = !aref.ring<[!tile]>

tile.kernel @later(%x: !view, %y: !view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = tile.dim %x, 0 : !view
  %all = arith.ceildivui %rows, %c64 : index
  %instances = arith.muli %c1, %c1 {tile.instances} : index
  %worker = tile.worker_id : index
  %workers = tile.worker_count : index
  %ring = aref.ring "x" depth 2 : !ring

  aref.process "load" warps 4 registers 40 {
    %t0 = aref.first_turn %ring : !ring
    %end = scf.for %t = %worker to %instances step %workers iter_args(%u = %t0) -> (!aref.turn) {
      %r = scf.for %i = %c0 to %all step %c1 iter_args(%v = %u) -> (!aref.turn) {
        %row = arith.muli %i, %c64 : index
        %token, %next = aref.acquire %ring[%v] : !ring
        %a = tile.load %x[%row, %c0] : !view -> !tile
        aref.publish %ring[%token], %a : !ring, !tile
        scf.yield %next : !aref.turn
      }
      scf.yield %r : !aref.turn
    }
  }

  aref.process "store" warps 4 registers 232 {
    %t0 = aref.first_turn %ring : !ring
    %end = scf.for %t = %worker to %instances step %workers iter_args(%u = %t0) -> (!aref.turn) {
      %some = arith.cmpi sgt, %all, %c0 : index
      %after = scf.if %some -> (!aref.turn) {
        %token, %next, %a = aref.get %ring[%u] : !ring -> !tile
        aref.release %ring[%token] : !ring
        %r, %last = scf.for %i = %c1 to %all step %c1 iter_args(%v = %next, %old = %a) -> (!aref.turn, !tile) {
          %before = arith.subi %i, %c1 : index
          %row = arith.muli %before, %c64 : index
          %token1, %next1, %b = aref.get %ring[%v] : !ring -> !tile
          aref.release %ring[%token1] : !ring
          tile.store %old, %y[%row, %c0] : !tile, !view
          scf.yield %next1, %b : !aref.turn, !tile
        }
        %before = arith.subi %all, %c1 : index
        %row = arith.muli %before, %c64 : index
        tile.store %last, %y[%row, %c0] : !tile, !view
        scf.yield %r : !aref.turn
      } else {
        scf.yield %u : !aref.turn
      }
      scf.yield %after : !aref.turn
    }
  }
}
