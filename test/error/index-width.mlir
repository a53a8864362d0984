// What a while loop carries cannot be made wider.
// RUN: %expect 2 heddle compile %s -o %t.ptx
tile.kernel @k(%out: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %out, 0 : !tile.view<?xi32>
  tile.parallel (%i) to (%c1) {
    %end = scf.while (%p = %c1) : (index) -> (index) {
      %more = arith.cmpi slt, %p, %n : index
      scf.condition(%more) %p : index
    } do {
    ^bb0(%p: index):
      %next = arith.muli %p, %p : index
      scf.yield %next : index
    }
    %number = arith.index_cast %end : index to i32
    %tile = tile.splat %number : i32 -> tensor<1xi32>
    tile.store %tile, %out[%c0] : tensor<1xi32>, !tile.view<?xi32>
  }
}
