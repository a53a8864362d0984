// Sums in turns of more blocks than the view has: those behind its end add nothing, and take turns.
tile.kernel @beyond(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>, %m: index, %k: index) {
  %c64 = arith.constant 64 : index
  tile.parallel (%p, %i) to (%k, %m) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %p, %c64 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %sum = tile.reduce %tile axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }
    %own = tile.in_turn %sum, %p : tensor<64xf32>
    tile.view_reduce fadd, %own, %y[%row] : tensor<64xf32>, !tile.view<?xf32>
  }
}
