// A loop whose end is the lower half of a product, and whose steps are large: the largest end
// that has a point behind it is 2^31 - 2^21.



tile.kernel @k(%out: !tile.view<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 1048576 : index
  %step = arith.constant 2097152 : index
  tile.parallel (%i) to (%c1) {
    %p = arith.muli %n, %m : index
    %t = arith.index_cast %p : index to i32
    %q = arith.index_cast %t : i32 to index
    %sum = scf.for %k = %c0 to %q step %step iter_args(%acc = %c1) -> (index) {
      %next = arith.addi %acc, %c1 : index
      scf.yield %next : index
    }
    %number = arith.index_cast %sum : index to i64
    %tile = tile.splat %number : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}
