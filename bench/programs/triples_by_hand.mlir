// Scores of triples by hand for the machine `dae`, written for speed: a turn carries what a triple needs, three numbers
// to who reads rows, three rows to who computes. What the compiler makes of examples/embedding/triples.mlir is
// compared with it. bench/dae.py replaces the width of a row and the slots.

!table = !tile.view<?x?xf32>
!numbers = !tile.view<?xi32>
!scores = !tile.view<?xf32>
!number = tensor<1xi32>
!row = tensor<1x64xf32>
!names_ring = !aref.ring<[!number, !number, !number]>
!rows_ring = !aref.ring<[!row, !row, !row]>

tile.kernel @triples(%entities: !table, %relations: !table, %heads: !numbers, %kinds: !numbers,
                     %tails: !numbers, %out: !scores)
    attributes {aref.machine = "dae"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = tile.dim %out, 0 : !scores
  %names_ring = aref.ring "names" depth 128 : !names_ring
  %rows_ring = aref.ring "rows" depth 8 : !rows_ring

  aref.process "read_names" on "access" {
    %first = aref.first_turn %names_ring : !names_ring
    scf.for %n = %c0 to %count step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %slot, %next = aref.acquire %names_ring[%t] : !names_ring
      %h = tile.load %heads[%n] : !numbers -> !number
      %r = tile.load %kinds[%n] : !numbers -> !number
      %l = tile.load %tails[%n] : !numbers -> !number
      aref.publish %names_ring[%slot], %h, %r, %l : !names_ring, !number, !number, !number
      scf.yield %next : !aref.turn
    }
  }

  aref.process "read_rows" on "access" {
    %first = aref.first_turn %names_ring : !names_ring
    %first_row = aref.first_turn %rows_ring : !rows_ring
    scf.for %n = %c0 to %count step %c1 iter_args(%t = %first, %u = %first_row) -> (!aref.turn, !aref.turn) {
      %slot, %next, %h_tile, %r_tile, %l_tile = aref.get %names_ring[%t] : !names_ring -> !number, !number, !number
      %h_i = tile.unsplat %h_tile : !number -> i32
      %r_i = tile.unsplat %r_tile : !number -> i32
      %l_i = tile.unsplat %l_tile : !number -> i32
      aref.release %names_ring[%slot] after %h_i, %r_i, %l_i : !names_ring, i32, i32, i32
      %h = arith.index_cast %h_i : i32 to index
      %r = arith.index_cast %r_i : i32 to index
      %l = arith.index_cast %l_i : i32 to index
      %free, %u_next = aref.acquire %rows_ring[%u] : !rows_ring
      %h_row = tile.load %entities[%h, %c0] : !table -> !row
      %r_row = tile.load %relations[%r, %c0] : !table -> !row
      %l_row = tile.load %entities[%l, %c0] : !table -> !row
      aref.publish %rows_ring[%free], %h_row, %r_row, %l_row : !rows_ring, !row, !row, !row
      scf.yield %next, %u_next : !aref.turn, !aref.turn
    }
  }

  aref.process "execute" on "execute" {
    %first = aref.first_turn %rows_ring : !rows_ring
    scf.for %n = %c0 to %count step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %slot, %next, %h, %r, %l = aref.get %rows_ring[%t] : !rows_ring -> !row, !row, !row
      %moved = arith.addf %h, %r : !row
      %apart = arith.subf %moved, %l : !row
      aref.release %rows_ring[%slot] after %apart : !rows_ring, !row
      %distance = math.absf %apart : !row
      %score = tile.reduce %distance axis 1 : !row -> tensor<1xf32> combine (%u: f32, %v: f32) {
        %both = arith.addf %u, %v : f32
        tile.yield %both : f32
      }
      tile.store %score, %out[%n] : tensor<1xf32>, !scores
      scf.yield %next : !aref.turn
    }
  }
}
