// Bags with weights by hand for the machine `dae`, written for speed: a turn carries four rows, and a flag for the last
// ones of a bag, so that a token's cost is shared by four rows and nothing is counted. What the
// compiler makes of examples/embedding/bag_weighted.mlir is compared with it. bench/dae.py replaces the
// width of a row and the slots.

!table = !tile.view<?x?xf32>
!numbers = !tile.view<?xi32>
!row = tensor<64xf32>
!rows = tensor<4x64xf32>
!offsets_ring = !aref.ring<[tensor<1xi32>, tensor<1xi32>]>
!names_ring = !aref.ring<[tensor<4xi32>, i32, i1, tensor<4xf32>]>
!rows_ring = !aref.ring<[!rows, i1, tensor<4xf32>]>

tile.kernel @bag_weighted(%table: !table, %indices: !numbers, %weights: !tile.view<?xf32>, %offsets: !numbers, %out: !table)
    attributes {aref.machine = "dae"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bags = tile.dim %out, 0 : !table
  %offsets_ring = aref.ring "offsets" depth 64 : !offsets_ring
  %names_ring = aref.ring "names" depth 64 : !names_ring
  %rows_ring = aref.ring "rows" depth 8 : !rows_ring

  aref.process "read_offsets" on "access" {
    %first = aref.first_turn %offsets_ring : !offsets_ring
    scf.for %b = %c0 to %bags step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %slot, %next = aref.acquire %offsets_ring[%t] : !offsets_ring
      %b1 = arith.addi %b, %c1 : index
      %from = tile.load %offsets[%b] : !numbers -> tensor<1xi32>
      %to = tile.load %offsets[%b1] : !numbers -> tensor<1xi32>
      aref.publish %offsets_ring[%slot], %from, %to : !offsets_ring, tensor<1xi32>, tensor<1xi32>
      scf.yield %next : !aref.turn
    }
  }

  aref.process "read_indices" on "access" {
    %first = aref.first_turn %offsets_ring : !offsets_ring
    %first_name = aref.first_turn %names_ring : !names_ring
    %end, %names_end = scf.for %b = %c0 to %bags step %c1 iter_args(%t = %first, %n_bag = %first_name)
        -> (!aref.turn, !aref.turn) {
      %slot, %next, %from_tile, %to_tile = aref.get %offsets_ring[%t] : !offsets_ring -> tensor<1xi32>, tensor<1xi32>
      %from_i = tile.unsplat %from_tile : tensor<1xi32> -> i32
      %to_i = tile.unsplat %to_tile : tensor<1xi32> -> i32
      aref.release %offsets_ring[%slot] after %from_i, %to_i : !offsets_ring, i32, i32
      %from = arith.index_cast %from_i : i32 to index
      %to = arith.index_cast %to_i : i32 to index
      %count = arith.subi %to, %from : index
      %needed = arith.ceildivsi %count, %c4 : index
      // An empty bag is a turn too, or the core would not hear of it.
      %chunks = arith.maxsi %needed, %c1 : index
      %n_end = scf.for %chunk = %c0 to %chunks step %c1 iter_args(%n = %n_bag) -> (!aref.turn) {
        %done = arith.muli %chunk, %c4 : index
        %at = arith.addi %from, %done : index
        %left = arith.subi %count, %done : index
        %left_i = arith.index_cast %left : index to i32
        %following = arith.addi %chunk, %c1 : index
        %last = arith.cmpi eq, %following, %chunks : index
        %free, %n_next = aref.acquire %names_ring[%n] : !names_ring
        %named = tile.load %indices[%at] : !numbers -> tensor<4xi32>
        %w = tile.load %weights[%at] : !tile.view<?xf32> -> tensor<4xf32>
        aref.publish %names_ring[%free], %named, %left_i, %last, %w : !names_ring, tensor<4xi32>, i32, i1, tensor<4xf32>
        scf.yield %n_next : !aref.turn
      }
      scf.yield %next, %n_end : !aref.turn, !aref.turn
    }
    aref.close %names_ring[%names_end] : !names_ring
  }

  aref.process "read_table" on "access" {
    %first = aref.first_turn %names_ring : !names_ring
    %first_row = aref.first_turn %rows_ring : !rows_ring
    %lanes = tile.iota : tensor<4xi32>
    %none = arith.constant dense<-1> : tensor<4xi32>
    %n_end, %r_end = scf.while (%n = %first, %r = %first_row) : (!aref.turn, !aref.turn) -> (!aref.turn, !aref.turn) {
      %more = aref.more %names_ring[%n] : !names_ring
      scf.condition(%more) %n, %r : !aref.turn, !aref.turn
    } do {
    ^bb0(%n: !aref.turn, %r: !aref.turn):
      %slot, %n_next, %named, %left, %last, %w = aref.get %names_ring[%n] : !names_ring -> tensor<4xi32>, i32, i1, tensor<4xf32>
      %ends = tile.splat %left : i32 -> tensor<4xi32>
      %mine = arith.cmpi slt, %lanes, %ends : tensor<4xi32>
      %chosen = arith.select %mine, %named, %none : tensor<4xi1>, tensor<4xi32>
      %free, %r_next = aref.acquire %rows_ring[%r] : !rows_ring
      %rows = tile.view_gather %table[%chosen, %c0] : !table, tensor<4xi32> -> !rows
      aref.publish %rows_ring[%free], %rows, %last, %w : !rows_ring, !rows, i1, tensor<4xf32>
      aref.release %names_ring[%slot] after %chosen : !names_ring, tensor<4xi32>
      scf.yield %n_next, %r_next : !aref.turn, !aref.turn
    }
    aref.close %rows_ring[%r_end] : !rows_ring
  }

  aref.process "execute" on "execute" {
    %first = aref.first_turn %rows_ring : !rows_ring
    %f0 = arith.constant 0.0 : f32
    %nothing = tile.splat %f0 : f32 -> !row
    scf.while (%t = %first, %b = %c0, %sum = %nothing) : (!aref.turn, index, !row) -> (!aref.turn, index, !row) {
      %more = aref.more %rows_ring[%t] : !rows_ring
      scf.condition(%more) %t, %b, %sum : !aref.turn, index, !row
    } do {
    ^bb0(%t: !aref.turn, %b: index, %sum: !row):
      %slot, %next, %rows, %last, %w = aref.get %rows_ring[%t] : !rows_ring -> !rows, i1, tensor<4xf32>
      %w_column = tile.expand_dims %w, 1 : tensor<4xf32> -> tensor<4x1xf32>
      %w_rows = tile.broadcast %w_column : tensor<4x1xf32> -> !rows
      %terms = arith.mulf %w_rows, %rows : !rows
      %here = tile.reduce %terms axis 0 : !rows -> !row combine (%u: f32, %v: f32) {
        %two = arith.addf %u, %v : f32
        tile.yield %two : f32
      }
      %more_sum = arith.addf %sum, %here : !row
      %b_next, %left = scf.if %last -> (index, !row) {
        tile.store %more_sum, %out[%b, %c0] : !row, !table
        %following = arith.addi %b, %c1 : index
        scf.yield %following, %nothing : index, !row
      } else {
        scf.yield %b, %more_sum : index, !row
      }
      aref.release %rows_ring[%slot] after %more_sum : !rows_ring, !row
      scf.yield %next, %b_next, %left : !aref.turn, index, !row
    }
  }
}
