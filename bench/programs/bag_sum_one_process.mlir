// One process of a core without an access engine, written for speed: it asks for each row
// so many positions before it adds it as the ring has slots, whatever bag it belongs to. Costs
// are the text's: asking for a row is a request for each of its lines, adding it a load
// and an addition for each vector; a ring that only this process uses costs nothing.
// bench/dae.py replaces the width of a row, its vectors and the number of slots.

!table = !tile.view<?x?xf32>
!numbers = !tile.view<?xi32>
!row = tensor<64xf32>
!ring = !aref.ring<[!row]>

tile.kernel @bag_sum(%table: !table, %indices: !numbers, %offsets: !numbers, %out: !table)
    attributes {aref.machine = "dae"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ahead = arith.constant 8 : index
  %far_ahead = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %bags = tile.dim %out, 0 : !table
  %all = tile.dim %indices, 0 : !numbers
  %ring = aref.ring "ahead" depth 8 : !ring
  aref.process "core" on "execute" {
    %first = aref.first_turn %ring : !ring
    %none = tile.splat %f0 : f32 -> !row
    %early = arith.minsi %ahead, %all : index
    %asked = scf.for %p = %c0 to %early step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %i = tile.load %indices[%p] : !numbers -> tensor<1xi32>
      %i_i = tile.unsplat %i : tensor<1xi32> -> i32
      %r = arith.index_cast %i_i : i32 to index
      %slot, %next = aref.acquire %ring[%t] : !ring
      %row = tile.load %table[%r, %c0] : !table -> !row
      aref.publish %ring[%slot], %row {aref.issue = 0 : i64} : !ring, !row
      scf.yield %next : !aref.turn
    }
    scf.for %b = %c0 to %bags step %c1 iter_args(%t_bag = %first, %a_bag = %asked) -> (!aref.turn, !aref.turn) {
      %b1 = arith.addi %b, %c1 : index
      %far_bag = arith.addi %b, %far_ahead : index
      %later_bag = tile.load %offsets[%far_bag] : !numbers -> tensor<1xi32>
      %from_t = tile.load %offsets[%b] : !numbers -> tensor<1xi32>
      %to_t = tile.load %offsets[%b1] : !numbers -> tensor<1xi32>
      %from_i = tile.unsplat %from_t : tensor<1xi32> -> i32
      %to_i = tile.unsplat %to_t : tensor<1xi32> -> i32
      %from = arith.index_cast %from_i : i32 to index
      %to = arith.index_cast %to_i : i32 to index
      %sum, %t_end, %a_end = scf.for %p = %from to %to step %c1
          iter_args(%s = %none, %t = %t_bag, %a = %a_bag) -> (!row, !aref.turn, !aref.turn) {
        %slot, %next, %row = aref.get %ring[%t] {aref.issue = 4 : i64} : !ring -> !row
        %more = arith.addf %s, %row {aref.issue = 4 : i64, aref.latency = 4 : i64} : !row
        aref.release %ring[%slot] after %more : !ring, !row
        // Their lines come in time, as a prefetcher would have it.
        %far = arith.addi %p, %far_ahead : index
        %later = tile.load %indices[%far] : !numbers -> tensor<1xi32>
        %q = arith.addi %p, %ahead : index
        %is_there = arith.cmpi slt, %q, %all : index
        %a_next = scf.if %is_there -> (!aref.turn) {
          %i = tile.load %indices[%q] : !numbers -> tensor<1xi32>
          %i_i = tile.unsplat %i : tensor<1xi32> -> i32
          %r = arith.index_cast %i_i : i32 to index
          %free, %following = aref.acquire %ring[%a] : !ring
          %asked_row = tile.load %table[%r, %c0] : !table -> !row
          aref.publish %ring[%free], %asked_row {aref.issue = 0 : i64} : !ring, !row
          scf.yield %following : !aref.turn
        } else {
          scf.yield %a : !aref.turn
        }
        scf.yield %more, %next, %a_next : !row, !aref.turn, !aref.turn
      }
      tile.store %sum, %out[%b, %c0] : !row, !table
      scf.yield %t_end, %a_end : !aref.turn, !aref.turn
    }
  }
}
