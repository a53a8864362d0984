// Instances that add at one place and have one turn.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 16:5: error: 'tile.view_reduce' is in turns, and instances that differ in index 1 add at one place, too; turns go by one index [turn-rule]
tile.kernel @sum(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %sum = tile.reduce %tile axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }
    %own = tile.in_turn %sum, %i : tensor<64xf32>
    tile.view_reduce fadd, %own, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
