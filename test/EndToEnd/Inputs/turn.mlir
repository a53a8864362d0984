// b = a, read along columns and written along rows.
!t = f16
!tile = tensor<64x64x!t>

tile.kernel @turn(%a: !tile.view<?x?x!t, #tile.order<0, 1>>, %b: !tile.view<?x?x!t>) {
  %c64 = arith.constant 64 : index
  %m = tile.dim %b, 0 : !tile.view<?x?x!t>
  %n = tile.dim %b, 1 : !tile.view<?x?x!t>
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %x = tile.load %a[%row, %col] : !tile.view<?x?x!t, #tile.order<0, 1>> -> !tile
    tile.store %x, %b[%row, %col] : !tile, !tile.view<?x?x!t>
  }
}
