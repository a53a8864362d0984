// The least of some rows, of which each instance has a part.
tile.kernel @least(%x: !tile.view<?x?xi32>, %y: !tile.view<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xi32>
  %n = tile.dim %x, 1 : !tile.view<?x?xi32>
  %parts = arith.ceildivui %m, %c32 : index
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%p, %j) to (%parts, %blocks) {
    %row = arith.muli %p, %c32 : index
    %column = arith.muli %j, %c64 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xi32> -> tensor<32x64xi32>
    %own = tile.in_cluster %tile, %p by 4 : tensor<32x64xi32>
    tile.view_reduce min, %own, %y[%c0, %column] : tensor<32x64xi32>, !tile.view<?x?xi32>
  }
}
