// Messages along edges by hand for the machine `dae`, written for speed: a turn carries a neighbour's row with the edge's
// number, so that the core takes one token an edge; who reads rows reads the edges' numbers, too. What the
// compiler makes of examples/embedding/message_passing.mlir is compared with it. bench/dae.py replaces the
// width of a row and the slots.

!table = !tile.view<?x?xf32>
!numbers = !tile.view<?xi32>
!number = tensor<1xi32>
!weight = tensor<1xf32>
!row = tensor<1x64xf32>
!offsets_ring = !aref.ring<[!number, !number]>
!names_ring = !aref.ring<[!number, !weight]>
!counts_ring = !aref.ring<[index]>
!own_ring = !aref.ring<[!row, index]>
!rows_ring = !aref.ring<[!row, !weight]>

tile.kernel @message_passing(%x: !table, %y: !table, %neighbours: !numbers, %a: !tile.view<?xf32>,
                             %offsets: !numbers, %out: !table)
    attributes {aref.machine = "dae"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nodes = tile.dim %out, 0 : !table
  %offsets_ring = aref.ring "offsets" depth 64 : !offsets_ring
  %names_ring = aref.ring "names" depth 128 : !names_ring
  %counts_ring = aref.ring "counts" depth 64 : !counts_ring
  %own_ring = aref.ring "own" depth 4 : !own_ring
  %rows_ring = aref.ring "rows" depth 8 : !rows_ring

  aref.process "read_offsets" on "access" {
    %first = aref.first_turn %offsets_ring : !offsets_ring
    scf.for %n = %c0 to %nodes step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %slot, %next = aref.acquire %offsets_ring[%t] : !offsets_ring
      %n1 = arith.addi %n, %c1 : index
      %from = tile.load %offsets[%n] : !numbers -> !number
      %to = tile.load %offsets[%n1] : !numbers -> !number
      aref.publish %offsets_ring[%slot], %from, %to : !offsets_ring, !number, !number
      scf.yield %next : !aref.turn
    }
  }

  aref.process "read_edges" on "access" {
    %first = aref.first_turn %offsets_ring : !offsets_ring
    %first_name = aref.first_turn %names_ring : !names_ring
    %first_count = aref.first_turn %counts_ring : !counts_ring
    scf.for %n = %c0 to %nodes step %c1 iter_args(%t = %first, %m = %first_name, %c = %first_count)
        -> (!aref.turn, !aref.turn, !aref.turn) {
      %slot, %next, %from_tile, %to_tile = aref.get %offsets_ring[%t] : !offsets_ring -> !number, !number
      %from_i = tile.unsplat %from_tile : !number -> i32
      %to_i = tile.unsplat %to_tile : !number -> i32
      aref.release %offsets_ring[%slot] after %from_i, %to_i : !offsets_ring, i32, i32
      %from = arith.index_cast %from_i : i32 to index
      %to = arith.index_cast %to_i : i32 to index
      %count = arith.subi %to, %from : index
      %c_slot, %c_next = aref.acquire %counts_ring[%c] : !counts_ring
      aref.publish %counts_ring[%c_slot], %count : !counts_ring, index
      %m_end = scf.for %p = %from to %to step %c1 iter_args(%k = %m) -> (!aref.turn) {
        %free, %k_next = aref.acquire %names_ring[%k] : !names_ring
        %j = tile.load %neighbours[%p] : !numbers -> !number
        %w = tile.load %a[%p] : !tile.view<?xf32> -> !weight
        aref.publish %names_ring[%free], %j, %w : !names_ring, !number, !weight
        scf.yield %k_next : !aref.turn
      }
      scf.yield %next, %m_end, %c_next : !aref.turn, !aref.turn, !aref.turn
    }
  }

  aref.process "read_rows" on "access" {
    %first_name = aref.first_turn %names_ring : !names_ring
    %first_count = aref.first_turn %counts_ring : !counts_ring
    %first_own = aref.first_turn %own_ring : !own_ring
    %first_row = aref.first_turn %rows_ring : !rows_ring
    scf.for %n = %c0 to %nodes step %c1
        iter_args(%m = %first_name, %c = %first_count, %o = %first_own, %r = %first_row)
        -> (!aref.turn, !aref.turn, !aref.turn, !aref.turn) {
      %c_slot, %c_next, %count = aref.get %counts_ring[%c] : !counts_ring -> index
      %o_slot, %o_next = aref.acquire %own_ring[%o] : !own_ring
      %mine = tile.load %x[%n, %c0] : !table -> !row
      aref.publish %own_ring[%o_slot], %mine, %count : !own_ring, !row, index
      %m_end, %r_end = scf.for %p = %c0 to %count step %c1 iter_args(%k = %m, %q = %r) -> (!aref.turn, !aref.turn) {
        %slot, %k_next, %j_tile, %w = aref.get %names_ring[%k] : !names_ring -> !number, !weight
        %j_i = tile.unsplat %j_tile : !number -> i32
        %j = arith.index_cast %j_i : i32 to index
        %free, %q_next = aref.acquire %rows_ring[%q] : !rows_ring
        %row = tile.load %y[%j, %c0] : !table -> !row
        aref.publish %rows_ring[%free], %row, %w : !rows_ring, !row, !weight
        aref.release %names_ring[%slot] after %j_i : !names_ring, i32
        scf.yield %k_next, %q_next : !aref.turn, !aref.turn
      }
      aref.release %counts_ring[%c_slot] after %count : !counts_ring, index
      scf.yield %m_end, %c_next, %o_next, %r_end : !aref.turn, !aref.turn, !aref.turn, !aref.turn
    }
  }

  aref.process "execute" on "execute" {
    %first_own = aref.first_turn %own_ring : !own_ring
    %first_row = aref.first_turn %rows_ring : !rows_ring
    %f0 = arith.constant 0.0 : f32
    %f1 = arith.constant 1.0 : f32
    %none = tile.splat %f0 : f32 -> !row
    %one = tile.splat %f1 : f32 -> !weight
    scf.for %n = %c0 to %nodes step %c1 iter_args(%o = %first_own, %r = %first_row) -> (!aref.turn, !aref.turn) {
      %o_slot, %o_next, %mine, %count = aref.get %own_ring[%o] : !own_ring -> !row, index
      %sum, %r_end = scf.for %p = %c0 to %count step %c1 iter_args(%s = %none, %q = %r) -> (!row, !aref.turn) {
        %slot, %q_next, %row, %edge = aref.get %rows_ring[%q] : !rows_ring -> !row, !weight
        %products = arith.mulf %mine, %row : !row
        %score = tile.reduce %products axis 1 : !row -> !weight combine (%u: f32, %v: f32) {
          %both = arith.addf %u, %v : f32
          tile.yield %both : f32
        }
        %minus = arith.negf %score : !weight
        %e = math.exp %minus : !weight
        %below = arith.addf %one, %e : !weight
        %sigmoid = arith.divf %one, %below : !weight
        %weight = arith.mulf %sigmoid, %edge : !weight
        %column = tile.expand_dims %weight, 1 : !weight -> tensor<1x1xf32>
        %weights = tile.broadcast %column : tensor<1x1xf32> -> !row
        %message = arith.mulf %weights, %row : !row
        aref.release %rows_ring[%slot] after %message : !rows_ring, !row
        %more = arith.addf %s, %message : !row
        scf.yield %more, %q_next : !row, !aref.turn
      }
      aref.release %own_ring[%o_slot] after %sum : !own_ring, !row
      tile.store %sum, %out[%n, %c0] : !row, !table
      scf.yield %o_next, %r_end : !aref.turn, !aref.turn
    }
  }
}
