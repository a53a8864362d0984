// An embedding bag as an access process and an execute process: out[b] is the sum of
// the table's rows that bag b names. Bag b has lengths[b] >= 0 names, one bag after
// the other in `names`; a name outside the table counts as a row of zeros.
//
// The access process knows where everything lies and computes nothing; the execute
// process adds and does not know an address, nor how many rows there will be. What
// it must know of the control flow comes with the data: a flag for the last rows of
// a bag, and the end of the stream. So the access process runs ahead as far as the
// ring is deep, whatever the lengths are.
//
//   heddle simulate examples/aref/embedding_bag.mlir --view table=9x8
//     --view lengths=4 --values lengths=3,0,6,1 --view names=10
//     --values names=1,2,3,8,0,0,5,7,11,4 --view out=4x8 --print out

!table = !tile.view<?x?xf32>
!numbers = !tile.view<?xi32>
!rows = tensor<4x8xf32>
!bag = tensor<8xf32>
!ring = !aref.ring<[!rows, i1]>

tile.kernel @embedding_bag(%table: !table, %lengths: !numbers, %names: !numbers,
                           %out: !table) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bags = tile.dim %lengths, 0 : !numbers
  // The rows, and whether they are the last of their bag.
  %ring = aref.ring "rows" depth 3 : !ring

  aref.process "access" warps 1 registers 0 {
    %first = aref.first_turn %ring : !ring
    %lanes = tile.iota : tensor<4xi32>
    %minus_one = arith.constant -1 : i32
    %no_name = tile.splat %minus_one : i32 -> tensor<4xi32>
    %zero = arith.constant 0 : i32

    %end, %names_read = scf.for %bag = %c0 to %bags step %c1
        iter_args(%t_bag = %first, %begin = %c0) -> (!aref.turn, index) {
      %length_tile = tile.load %lengths[%bag] : !numbers -> tensor<1xi32>
      %length_i32 = tile.unsplat %length_tile : tensor<1xi32> -> i32
      %length = arith.index_cast %length_i32 : i32 to index
      // An empty bag is one turn too, or the other side would not hear of it.
      %chunks_needed = arith.ceildivsi %length, %c4 : index
      %chunks = arith.maxsi %chunks_needed, %c1 : index

      %t_end = scf.for %chunk = %c0 to %chunks step %c1 iter_args(%t = %t_bag) -> (!aref.turn) {
        %done = arith.muli %chunk, %c4 : index
        %from = arith.addi %begin, %done : index
        %named = tile.load %names[%from] : !numbers -> tensor<4xi32>
        %left = arith.subi %length, %done : index
        %left_i32 = arith.index_cast %left : index to i32
        %ends = tile.splat %left_i32 : i32 -> tensor<4xi32>
        %mine = arith.cmpi slt, %lanes, %ends : tensor<4xi32>
        %chosen = arith.select %mine, %named, %no_name : tensor<4xi1>, tensor<4xi32>
        %next_chunk = arith.addi %chunk, %c1 : index
        %last = arith.cmpi eq, %next_chunk, %chunks : index

        // The gather is published before it has arrived.
        %slot, %t_next = aref.acquire %ring[%t] : !ring
        %rows = tile.view_gather %table[%chosen, %c0] : !table, tensor<4xi32> -> !rows
        aref.publish %ring[%slot], %rows, %last : !ring, !rows, i1
        scf.yield %t_next : !aref.turn
      }
      %begin_next = arith.addi %begin, %length : index
      scf.yield %t_end, %begin_next : !aref.turn, index
    }
    aref.close %ring[%end] : !ring
  }

  aref.process "execute" warps 1 registers 0 {
    %first = aref.first_turn %ring : !ring
    %f0 = arith.constant 0.0 : f32
    %nothing = tile.splat %f0 : f32 -> !bag
    scf.while (%t = %first, %bag = %c0, %sum = %nothing)
        : (!aref.turn, index, !bag) -> (!aref.turn, index, !bag) {
      %more = aref.more %ring[%t] : !ring
      scf.condition(%more) %t, %bag, %sum : !aref.turn, index, !bag
    } do {
    ^bb0(%t: !aref.turn, %bag: index, %sum: !bag):
      %slot, %t_next, %rows, %last = aref.get %ring[%t] : !ring -> !rows, i1
      %here = tile.reduce %rows axis 0 : !rows -> !bag combine (%a: f32, %b: f32) {
        %both = arith.addf %a, %b : f32
        tile.yield %both : f32
      }
      %sum_next = arith.addf %sum, %here : !bag
      %bag_next, %sum_left = scf.if %last -> (index, !bag) {
        %row = tile.reshape %sum_next : !bag -> tensor<1x8xf32>
        tile.store %row, %out[%bag, %c0] : tensor<1x8xf32>, !table
        %following = arith.addi %bag, %c1 : index
        scf.yield %following, %nothing : index, !bag
      } else {
        scf.yield %bag, %sum_next : index, !bag
      }
      aref.release %ring[%slot] after %sum_next : !ring, !bag
      scf.yield %t_next, %bag_next, %sum_left : !aref.turn, index, !bag
    }
  }
}
