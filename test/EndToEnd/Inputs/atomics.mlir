// old = what lay in `cells`, which are added to and then exchanged where they are 1;
// the sum of all of a goes to each element of `sums`, through a view.
tile.kernel @atomics(%a: !tile.view<?xi32>, %cells: !tile.ptr<i32>,
                     %old: !tile.view<?xi32>, %sums: !tile.view<?xi32>) {
  %c256 = arith.constant 256 : index
  %c0 = arith.constant 0 : index
  %one_s = arith.constant 1 : i32
  %hundred_s = arith.constant 100 : i32
  %n = tile.dim %a, 0 : !tile.view<?xi32>
  %blocks = arith.ceildivui %n, %c256 : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %c256 : index
    %values = tile.load %a[%first] : !tile.view<?xi32> -> tensor<256xi32>
    %first_i32 = arith.index_cast %first : index to i32
    %start = tile.splat %first_i32 : i32 -> tensor<256xi32>
    %iota = tile.iota : tensor<256xi32>
    %places = arith.addi %start, %iota : tensor<256xi32>
    %n_i32 = arith.index_cast %n : index to i32
    %ends = tile.splat %n_i32 : i32 -> tensor<256xi32>
    %exists = arith.cmpi slt, %places, %ends : tensor<256xi32>
    %base = tile.splat %cells : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
    %at = tile.ptr_add %base, %places : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
    %before = tile.atomic_rmw add, relaxed, gpu, %at, %values mask %exists : tensor<256xi1>
      : tensor<256x!tile.ptr<i32>>, tensor<256xi32> -> tensor<256xi32>
    tile.store %before, %old[%first] : tensor<256xi32>, !tile.view<?xi32>
    %sum = tile.reduce %values axis 0 : tensor<256xi32> -> i32 combine (%x: i32, %y: i32) {
      %both = arith.addi %x, %y : i32
      tile.yield %both : i32
    }
    // Fewer elements than threads: each is added once all the same.
    %few = tile.splat %sum : i32 -> tensor<16xi32>
    tile.view_reduce add, %few, %sums[%c0] : tensor<16xi32>, !tile.view<?xi32>
  }
}
