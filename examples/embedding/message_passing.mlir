// A graph layer in one loop over edges: what node i gets of its neighbour j is j's row times a
// weight that both rows decide,
//   out[i, :] = sum over the edges p of node i of sigmoid(x[i, :] . y[j, :]) * a[p] * y[j, :],
// where j = neighbours[p]. No array of edges is made.
//
//   heddle run examples/embedding/message_passing.mlir --view x=4x32 --view y=9x32
//     --view neighbours=10xi32 --values neighbours=1,2,3,8,0,0,5,7,1,4 --view a=10
//     --view offsets=5xi32 --values offsets=0,3,3,9,10 --view out=4x32 --set D=32

!t = f32
!i = i32

tile.param @D : {1, 2, 4, 8, 16, 32, 64, 128, 256} = 64

!table = !tile.view<?x?x!t>
!numbers = !tile.view<?x!i>
!number = tensor<1x!i>
!sums = !tile.view<?x?xf32>
!row = tensor<1x?x!t, #tile.shape<"", "D">>
!sum = tensor<1x?xf32, #tile.shape<"", "D">>

tile.kernel @message_passing(%x: !table, %y: !table, %neighbours: !numbers, %a: !tile.view<?xf32>,
                             %offsets: !numbers, %out: !sums) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %nodes = tile.dim %out, 0 : !sums
  // A row is one tile: columns beyond D would be lost.
  %widest = tile.param_value @D : index
  %width = tile.dim %y, 1 : !table
  %is_whole = arith.cmpi sle, %width, %widest : index
  tile.assert %is_whole, "a row of y is one tile of D columns, so D must be at least its width" : i1
  %width_of_x = tile.dim %x, 1 : !table
  %is_as_wide_x = arith.cmpi eq, %width_of_x, %width : index
  tile.assert %is_as_wide_x, "x and y have different widths" : i1
  %width_of_out = tile.dim %out, 1 : !sums
  %is_as_wide_out = arith.cmpi eq, %width_of_out, %width : index
  tile.assert %is_as_wide_out, "the result and y have different widths" : i1
  tile.parallel (%node) to (%nodes) {
    %next = arith.addi %node, %c1 : index
    %from_tile = tile.load %offsets[%node] : !numbers -> !number
    %to_tile = tile.load %offsets[%next] : !numbers -> !number
    %from_i = tile.unsplat %from_tile : !number -> !i
    %to_i = tile.unsplat %to_tile : !number -> !i
    %from = arith.index_cast %from_i : !i to index
    %to = arith.index_cast %to_i : !i to index
    %mine_t = tile.load %x[%node, %c0] : !table -> !row
    %mine = tile.cast %mine_t : !row -> !sum
    %none = tile.splat %f0 : f32 -> !sum
    %one = tile.splat %f1 : f32 -> tensor<1xf32>
    %sum = scf.for %p = %from to %to step %c1 iter_args(%s = %none) -> (!sum) {
      %j_tile = tile.load %neighbours[%p] : !numbers -> !number
      %j_i = tile.unsplat %j_tile : !number -> !i
      %j = arith.index_cast %j_i : !i to index
      %row_t = tile.load %y[%j, %c0] : !table -> !row
      %row = tile.cast %row_t : !row -> !sum
      %products = arith.mulf %mine, %row : !sum
      %score = tile.reduce %products axis 1 : !sum -> tensor<1xf32> combine (%u: f32, %v: f32) {
        %both = arith.addf %u, %v : f32
        tile.yield %both : f32
      }
      %minus = arith.negf %score : tensor<1xf32>
      %e = math.exp %minus : tensor<1xf32>
      %below = arith.addf %one, %e : tensor<1xf32>
      %sigmoid = arith.divf %one, %below : tensor<1xf32>
      %edge = tile.load %a[%p] : !tile.view<?xf32> -> tensor<1xf32>
      %weight = arith.mulf %sigmoid, %edge : tensor<1xf32>
      %weight_column = tile.expand_dims %weight, 1 : tensor<1xf32> -> tensor<1x1xf32>
      %weights = tile.broadcast %weight_column : tensor<1x1xf32> -> !sum
      %message = arith.mulf %weights, %row : !sum
      %more = arith.addf %s, %message : !sum
      scf.yield %more : !sum
    }
    tile.store %sum, %out[%node, %c0] : !sum, !sums
  }
}
