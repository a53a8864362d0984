// An instance reads what it wrote, through other threads: the halves of each 128
// change places, and then each element is averaged with the one before it.
tile.kernel @in_place(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c128 : index
    %middle = arith.addi %at, %c64 : index
    %t = tile.load %x[%at] : !tile.view<?xf32> -> tensor<128xf32>
    %u = arith.addf %t, %t : tensor<128xf32>
    tile.store %u, %y[%at] : tensor<128xf32>, !tile.view<?xf32>
    %low = tile.load %y[%at] : !tile.view<?xf32> -> tensor<64xf32>
    %high = tile.load %y[%middle] : !tile.view<?xf32> -> tensor<64xf32>
    tile.store %high, %y[%at] : tensor<64xf32>, !tile.view<?xf32>
    tile.store %low, %y[%middle] : tensor<64xf32>, !tile.view<?xf32>
    scf.for %k = %c1 to %c64 step %c1 {
      %to = arith.addi %at, %k : index
      %from = arith.subi %to, %c1 : index
      %before = tile.load %y[%from] : !tile.view<?xf32> -> tensor<64xf32>
      %here = tile.load %y[%to] : !tile.view<?xf32> -> tensor<64xf32>
      %sum = arith.addf %before, %here : tensor<64xf32>
      %c05 = arith.constant dense<0.5> : tensor<64xf32>
      %mean = arith.mulf %sum, %c05 : tensor<64xf32>
      tile.store %mean, %y[%to] : tensor<64xf32>, !tile.view<?xf32>
    }
  }
}
