// How often the loop turns stands in memory, and a prediction has none.
// RUN: %expect 3 heddle predict %s --view x=64x64 --view ends=64 --view y=64x64
// expect: 16:5: remark: loop 'loop' runs in program order, because it holds no tile.dot [not-pipelined]
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 11:15: error: the result of 'tile.reduce' comes from tiles or memory, which have no values in a prediction; 'heddle simulate --order=timed' runs with values [needs-values]
tile.kernel @k(%x: !tile.view<?x?xf32>, %ends: !tile.view<?xi32>, %y: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%p) to (%c1) {
    %tile = tile.load %ends[%c0] : !tile.view<?xi32> -> tensor<64xi32>
    %number = tile.reduce %tile axis 0 : tensor<64xi32> -> i32 combine (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      tile.yield %s : i32
    }
    %end = arith.index_cast %number : i32 to index
    scf.for %i = %c0 to %end step %c1 {
      %t = tile.load %x[%c0, %i] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      tile.store %t, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}
