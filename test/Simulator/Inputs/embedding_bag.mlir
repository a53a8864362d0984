// The sum of each bag's rows, row after row: what examples/aref/embedding_bag.mlir
// computes.

!table = !tile.view<?x?xf32>
!numbers = !tile.view<?xi32>
!row = tensor<1x8xf32>

tile.kernel @embedding_bag(%table: !table, %lengths: !numbers, %names: !numbers,
                           %out: !table) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %bags = tile.dim %lengths, 0 : !numbers
  %nothing = tile.splat %f0 : f32 -> !row
  %end = scf.for %bag = %c0 to %bags step %c1 iter_args(%begin = %c0) -> (index) {
    %length_tile = tile.load %lengths[%bag] : !numbers -> tensor<1xi32>
    %length_i32 = tile.unsplat %length_tile : tensor<1xi32> -> i32
    %length = arith.index_cast %length_i32 : i32 to index
    %begin_next = arith.addi %begin, %length : index
    %sum = scf.for %i = %begin to %begin_next step %c1 iter_args(%s = %nothing) -> (!row) {
      %name = tile.load %names[%i] : !numbers -> tensor<1xi32>
      %row = tile.view_gather %table[%name, %c0] : !table, tensor<1xi32> -> !row
      %s_next = arith.addf %s, %row : !row
      scf.yield %s_next : !row
    }
    tile.store %sum, %out[%bag, %c0] : !row, !table
    scf.yield %begin_next : index
  }
}
