// Sums of rows, of which each instance adds a part, in the order of the parts.
tile.kernel @row_sums(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>) {
  %m = tile.dim %x, 0 : !tile.view<?x?xf32>
  %n = tile.dim %x, 1 : !tile.view<?x?xf32>
  %c64 = arith.constant 64 : index
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %sum = tile.reduce %tile axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }
    %own = tile.in_turn %sum, %j : tensor<64xf32>
    tile.view_reduce fadd, %own, %y[%row] : tensor<64xf32>, !tile.view<?xf32>
  }
}
