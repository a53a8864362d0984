// Products of one batch whose depths stand in memory, so that nobody knows before the
// launch how long an instance lasts.
!a = tensor<64x64xf16>
!b = tensor<64x64xf16>
!c = tensor<64x64xf32>
tile.kernel @uneven_depths(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>, %depths: !tile.ptr<i32>, %c: !tile.view<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %batch = tile.dim %a, 0 : !tile.view<?x?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?x?xf16>
  %n = tile.dim %b, 2 : !tile.view<?x?x?xf16>
  %k = tile.dim %a, 2 : !tile.view<?x?x?xf16>
  %rows = arith.ceildivui %m, %c64 : index
  %columns = arith.ceildivui %n, %c64 : index
  tile.parallel (%p, %i, %j) to (%batch, %rows, %columns) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %number_of_batch = arith.index_cast %p : index to i32
    %place = tile.ptr_add %depths, %number_of_batch : !tile.ptr<i32>, i32
    %number = tile.gather %place : !tile.ptr<i32> -> i32
    %wanted = arith.index_cast %number : i32 to index
    %least = arith.maxsi %wanted, %c0 : index
    %last = arith.minsi %least, %k : index
    %start = tile.splat %zero : f32 -> !c
    %sum = scf.for %at = %c0 to %last step %c64 iter_args(%s = %start) -> (!c) {
      %x = tile.load %a[%p, %row, %at] : !tile.view<?x?x?xf16> -> !a
      %y = tile.load %b[%p, %at, %column] : !tile.view<?x?x?xf16> -> !b
      %d = tile.dot %x, %y, %s : !a, !b -> !c
      scf.yield %d : !c
    }
    tile.store %sum, %c[%p, %row, %column] : !c, !tile.view<?x?x?xf32>
  }
}
