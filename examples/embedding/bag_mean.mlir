// Embedding bags, averaged: the sum of a bag's rows divided by how many it has; an
// empty bag gives zeros.
//
//   heddle run examples/embedding/bag_mean.mlir --view table=9x64 --view indices=10xi32
//     --values indices=1,2,3,8,0,0,5,7,1,4 --view offsets=5xi32 --values offsets=0,3,3,9,10
//     --view out=4x64

!t = f32
!i = i32
!o = f32

tile.param @D : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512} = 64

!table = !tile.view<?x?x!t>
!numbers = !tile.view<?x!i>
!number = tensor<1x!i>
!sums = !tile.view<?x?x!o>
!row = tensor<?x!t, #tile.shape<"D">>
!sum = tensor<?xf32, #tile.shape<"D">>
!result = tensor<?x!o, #tile.shape<"D">>

tile.kernel @bag_mean(%table: !table, %indices: !numbers, %offsets: !numbers, %out: !sums) {
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
  tile.parallel (%b) to (%bags) {
    // What bag b holds: indices[offsets[b]] to indices[offsets[b + 1] - 1].
    %next = arith.addi %b, %c1 : index
    %from_tile = tile.load %offsets[%b] : !numbers -> !number
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
    %count = arith.subi %to, %from : index
    %at_least_one = arith.maxsi %count, %c1 : index
    %divisor_i = arith.index_cast %at_least_one : index to i32
    %divisor = arith.sitofp %divisor_i : i32 to f32
    %divisors = tile.splat %divisor : f32 -> !sum
    %mean = arith.divf %sum, %divisors : !sum
    %rounded = tile.cast %mean : !sum -> !result
    tile.store %rounded, %out[%b, %c0] : !result, !sums
  }
}
