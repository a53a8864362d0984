// Bags of many tables in one launch. The tables lie one behind the other in one array: table t has rows[t] rows of
// widths[t] numbers and begins at first[t]. Bag b of table t is segment t * bags + b of the offsets, and its sum lies in
// row b of the result, from column columns[t] on; the result has `bags` rows of `total` numbers. No table is wider than D.
//
//   heddle run examples/embedding/bag_tables.mlir --view weights=60 --view first=3xi32 --values first=0,20,44
//     --view rows=3xi32 --values rows=5,3,4 --view widths=3xi32 --values widths=4,8,4 --view columns=3xi32
//     --values columns=0,4,12 --view indices=9xi32 --values indices=0,4,1,2,0,1,3,3,2 --view offsets=7xi32
//     --values offsets=0,2,3,5,6,6,9 --view out=2x16 --scalar bags=2 --scalar total=16 --set D=8

!t = f32
!i = i32

tile.param @D : {1, 2, 4, 8, 16, 32, 64, 128, 256} = 64

!table = !tile.view<?x?x!t>
!numbers = !tile.view<?x!i>
!number = tensor<1x!i>
!sums = !tile.view<?x?xf32>
!row = tensor<?x!t, #tile.shape<"D">>
!sum = tensor<?xf32, #tile.shape<"D">>

tile.kernel @bag_tables(%weights: !tile.ptr<!t>, %first: !numbers, %rows: !numbers, %widths: !numbers,
                        %columns: !numbers, %indices: !numbers, %offsets: !numbers,
                        %out: !tile.ptr<f32>, %bags: index, %total: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %tables = tile.dim %widths, 0 : !numbers
  %widest = tile.param_value @D : index
  tile.parallel (%n, %b) to (%tables, %bags) {
    %first_tile = tile.load %first[%n] : !numbers -> !number
    %width_tile = tile.load %widths[%n] : !numbers -> !number
    %column_tile = tile.load %columns[%n] : !numbers -> !number
    %rows_tile = tile.load %rows[%n] : !numbers -> !number
    %first_i = tile.unsplat %first_tile : !number -> !i
    %width_i = tile.unsplat %width_tile : !number -> !i
    %column_i = tile.unsplat %column_tile : !number -> !i
    %rows_i = tile.unsplat %rows_tile : !number -> !i
    %height = arith.index_cast %rows_i : !i to index
    %width = arith.index_cast %width_i : !i to index
    // A row is one tile: columns beyond D would be lost.
    %is_whole = arith.cmpi sle, %width, %widest : index
    tile.assert %is_whole, "a row of a table is one tile of D columns, so D must be at least its width" : i1
    %table_at = tile.ptr_add %weights, %first_i : !tile.ptr<!t>, !i
    %table = tile.make_view %table_at, [%height, %width], [%width, %c1] : !tile.ptr<!t> -> !table
    %out_at = tile.ptr_add %out, %column_i : !tile.ptr<f32>, !i
    %mine = tile.make_view %out_at, [%bags, %width], [%total, %c1] : !tile.ptr<f32> -> !sums
    %before = arith.muli %n, %bags : index
    %segment = arith.addi %before, %b : index
    %next = arith.addi %segment, %c1 : index
    %from_tile = tile.load %offsets[%segment] : !numbers -> !number
    %to_tile = tile.load %offsets[%next] : !numbers -> !number
    %from_i = tile.unsplat %from_tile : !number -> !i
    %to_i = tile.unsplat %to_tile : !number -> !i
    %from = arith.index_cast %from_i : !i to index
    %to = arith.index_cast %to_i : !i to index
    %none = tile.splat %f0 : f32 -> !sum
    %sum = scf.for %p = %from to %to step %c1 iter_args(%s = %none) -> (!sum) {
      %r_tile = tile.load %indices[%p] : !numbers -> !number
      %r_i = tile.unsplat %r_tile : !number -> !i
      %r = arith.index_cast %r_i : !i to index
      %row_t = tile.load %table[%r, %c0] : !table -> !row
      %row = tile.cast %row_t : !row -> !sum
      %more = arith.addf %s, %row : !sum
      scf.yield %more : !sum
    }
    tile.store %sum, %mine[%b, %c0] : !sum, !sums
  }
}
