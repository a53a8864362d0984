// OP of two rows, and 1 with the sign of what comes out.
!row = !tile.view<?xTYPE>
!tile = tensor<32xTYPE>
tile.kernel @special(%x: !row, %z: !row, %y: !row, %sign: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : TYPE
  tile.parallel (%i) to (%c1) {
    %a = tile.load %x[%c0] : !row -> !tile
    %b = tile.load %z[%c0] : !row -> !tile
    %r = OP %a, %b : !tile
    %ones = tile.splat %one : TYPE -> !tile
    %s = math.copysign %ones, %r : !tile
    tile.store %r, %y[%c0] : !tile, !row
    tile.store %s, %sign[%c0] : !tile, !row
  }
}
