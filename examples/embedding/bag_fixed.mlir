// Embedding bags of one size: out[b, :] is the sum of the rows of `table` that
// indices[b, :] names.
//
//   heddle run examples/embedding/bag_fixed.mlir --view table=9x64 --view indices=4x3xi32
//     --values indices=1,2,3,8,0,0,5,7,1,4,4,4 --view out=4x64

!t = f32
!i = i32

tile.param @D : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512} = 64

!table = !tile.view<?x?x!t>
!numbers = !tile.view<?x?x!i>
!number = tensor<1x!i>
!sums = !tile.view<?x?xf32>
!row = tensor<?x!t, #tile.shape<"D">>
!sum = tensor<?xf32, #tile.shape<"D">>

tile.kernel @bag_fixed(%table: !table, %indices: !numbers, %out: !sums) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %bags = tile.dim %out, 0 : !sums
  // A row is one tile: columns beyond D would be lost.
  %widest = tile.param_value @D : index
  %width = tile.dim %table, 1 : !table
  %is_whole = arith.cmpi sle, %width, %widest : index
  tile.assert %is_whole, "a row of the table is one tile of D columns, so D must be at least its width" : i1
  %width_of_out = tile.dim %out, 1 : !sums
  %is_as_wide_out = arith.cmpi eq, %width_of_out, %width : index
  tile.assert %is_as_wide_out, "the result and the table have different widths" : i1
  %size = tile.dim %indices, 1 : !numbers
  tile.parallel (%b) to (%bags) {
    %none = tile.splat %f0 : f32 -> !sum
    %sum = scf.for %p = %c0 to %size step %c1 iter_args(%s = %none) -> (!sum) {
      %r_tile = tile.load %indices[%b, %p] : !numbers -> !number
      %r_i = tile.unsplat %r_tile : !number -> !i
      %r = arith.index_cast %r_i : !i to index
      %row_t = tile.load %table[%r, %c0] : !table -> !row
      %row = tile.cast %row_t : !row -> !sum
      %more = arith.addf %s, %row : !sum
      scf.yield %more : !sum
    }
    tile.store %sum, %out[%b, %c0] : !sum, !sums
  }
}
