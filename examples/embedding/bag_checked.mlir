// Embedding bags whose numbers are not trusted: an index that is no row of the table, or offsets that
// fall or lead beyond the indices, end the program with a sentence. On machines that read ahead the
// processes that read the numbers check them.
//
//   heddle run examples/embedding/bag_checked.mlir --view table=9x64 --view indices=10xi32
//     --values indices=1,2,3,8,0,0,5,7,1,4 --view offsets=5xi32 --values offsets=0,3,3,9,10
//     --view out=4x64

!t = f32
!i = i32

tile.param @D : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512} = 64

!table = !tile.view<?x?x!t>
!numbers = !tile.view<?x!i>
!number = tensor<1x!i>
!sums = !tile.view<?x?xf32>
!row = tensor<?x!t, #tile.shape<"D">>
!sum = tensor<?xf32, #tile.shape<"D">>

tile.kernel @bag_checked(%table: !table, %indices: !numbers, %offsets: !numbers, %out: !sums) {
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
  %rows = tile.dim %table, 0 : !table
  %all = tile.dim %indices, 0 : !numbers
  tile.parallel (%b) to (%bags) {
    // What bag b holds: indices[offsets[b]] to indices[offsets[b + 1] - 1].
    %next = arith.addi %b, %c1 : index
    %from_tile = tile.load %offsets[%b] : !numbers -> !number
    %to_tile = tile.load %offsets[%next] : !numbers -> !number
    %from_i = tile.unsplat %from_tile : !number -> !i
    %to_i = tile.unsplat %to_tile : !number -> !i
    %from = arith.index_cast %from_i : !i to index
    %to = arith.index_cast %to_i : !i to index
    %begins = arith.cmpi sge, %from, %c0 : index
    tile.assert %begins, "an offset is negative" : i1
    %rises = arith.cmpi sle, %from, %to : index
    tile.assert %rises, "the offsets fall: a bag ends before it begins" : i1
    %ends = arith.cmpi sle, %to, %all : index
    tile.assert %ends, "a bag ends beyond the indices" : i1
    %none = tile.splat %f0 : f32 -> !sum
    %sum = scf.for %p = %from to %to step %c1 iter_args(%s = %none) -> (!sum) {
      %r_tile = tile.load %indices[%p] : !numbers -> !number
      %r_i = tile.unsplat %r_tile : !number -> !i
      %r = arith.index_cast %r_i : !i to index
      %is_row = arith.cmpi ult, %r, %rows : index
      tile.assert %is_row, "an index is no row of the table" : i1
      %row_t = tile.load %table[%r, %c0] : !table -> !row
      %row = tile.cast %row_t : !row -> !sum
      %more = arith.addf %s, %row : !sum
      scf.yield %more : !sum
    }
    tile.store %sum, %out[%b, %c0] : !sum, !sums
  }
}
