// What two sorted arrays have in common: each key of a is looked up in all of b. What
// examples/aref/intersection.mlir computes.

!keys = !tile.view<?xi32>
!key = tensor<1xi32>

tile.kernel @intersection(%a: !keys, %b: !keys, %common: !keys, %count: !keys) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %na = tile.dim %a, 0 : !keys
  %nb = tile.dim %b, 0 : !keys
  %found = scf.for %i = %c0 to %na step %c1 iter_args(%n = %c0) -> (index) {
    %x_tile = tile.load %a[%i] : !keys -> !key
    %x = tile.unsplat %x_tile : !key -> i32
    %n_next = scf.for %j = %c0 to %nb step %c1 iter_args(%m = %n) -> (index) {
      %y_tile = tile.load %b[%j] : !keys -> !key
      %y = tile.unsplat %y_tile : !key -> i32
      %same = arith.cmpi eq, %x, %y : i32
      %m_next = scf.if %same -> (index) {
        tile.store %x_tile, %common[%m] : !key, !keys
        %following = arith.addi %m, %c1 : index
        scf.yield %following : index
      } else {
        scf.yield %m : index
      }
      scf.yield %m_next : index
    }
    scf.yield %n_next : index
  }
  %n_i32 = arith.index_cast %found : index to i32
  %n_tile = tile.splat %n_i32 : i32 -> !key
  tile.store %n_tile, %count[%c0] : !key, !keys
}
