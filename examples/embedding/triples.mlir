// Scores of a knowledge graph's triples (TransE): out[t] = sum over e of |h[e] + r[e] - l[e]|, where h and l are
// the rows of `entities` that heads[t] and tails[t] name, and r is that of `relations` for kinds[t].
//
//   heddle run examples/embedding/triples.mlir --view entities=9x32 --view relations=3x32
//     --view heads=5xi32 --values heads=0,8,4,4,1 --view kinds=5xi32 --values kinds=2,0,1,1,0
//     --view tails=5xi32 --values tails=8,0,4,7,2 --view out=5 --set D=32

!t = f32
!i = i32

tile.param @D : {1, 2, 4, 8, 16, 32, 64, 128, 256} = 64

!table = !tile.view<?x?x!t>
!numbers = !tile.view<?x!i>
!number = tensor<1x!i>
!row = tensor<1x?x!t, #tile.shape<"", "D">>
!wide = tensor<1x?xf32, #tile.shape<"", "D">>

tile.kernel @triples(%entities: !table, %relations: !table, %heads: !numbers, %kinds: !numbers,
                     %tails: !numbers, %out: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %count = tile.dim %out, 0 : !tile.view<?xf32>
  // A row is one tile: columns beyond D would be lost.
  %widest = tile.param_value @D : index
  %width = tile.dim %entities, 1 : !table
  %is_whole = arith.cmpi sle, %width, %widest : index
  tile.assert %is_whole, "a row of entities is one tile of D columns, so D must be at least its width" : i1
  %width_of_relations = tile.dim %relations, 1 : !table
  %is_as_wide_relations = arith.cmpi eq, %width_of_relations, %width : index
  tile.assert %is_as_wide_relations, "relations and entities have different widths" : i1
  tile.parallel (%n) to (%count) {
    %h_tile = tile.load %heads[%n] : !numbers -> !number
    %r_tile = tile.load %kinds[%n] : !numbers -> !number
    %l_tile = tile.load %tails[%n] : !numbers -> !number
    %h_i = tile.unsplat %h_tile : !number -> !i
    %r_i = tile.unsplat %r_tile : !number -> !i
    %l_i = tile.unsplat %l_tile : !number -> !i
    %h = arith.index_cast %h_i : !i to index
    %r = arith.index_cast %r_i : !i to index
    %l = arith.index_cast %l_i : !i to index
    %h_t = tile.load %entities[%h, %c0] : !table -> !row
    %r_t = tile.load %relations[%r, %c0] : !table -> !row
    %l_t = tile.load %entities[%l, %c0] : !table -> !row
    %h_row = tile.cast %h_t : !row -> !wide
    %r_row = tile.cast %r_t : !row -> !wide
    %l_row = tile.cast %l_t : !row -> !wide
    %moved = arith.addf %h_row, %r_row : !wide
    %apart = arith.subf %moved, %l_row : !wide
    %distance = math.absf %apart : !wide
    %score = tile.reduce %distance axis 1 : !wide -> tensor<1xf32> combine (%u: f32, %v: f32) {
      %both = arith.addf %u, %v : f32
      tile.yield %both : f32
    }
    tile.store %score, %out[%n] : tensor<1xf32>, !tile.view<?xf32>
  }
}
