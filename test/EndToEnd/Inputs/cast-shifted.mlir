// The cast gives 2^32 - 1, which 32 bits do not hold.
tile.kernel @k(%out: !tile.view<?xi32>) {
    %c1 = arith.constant 1 : index
    tile.parallel (%arg0) to (%c1) {
      %0 = tile.dim %out, 0 : !tile.view<?xi32>
      %c-1 = arith.constant -1 : index
      %1 = arith.minsi %0, %c-1 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.index_castui %2 : i32 to index
      %4 = arith.shrsi %3, %3 : index
      %5 = arith.minui %1, %4 : index
      %6 = arith.index_cast %5 : index to i64
      %7 = tile.splat %6 : i64 -> tensor<32xi64>
      %8 = arith.trunci %7 : tensor<32xi64> to tensor<32xi32>
      %c2176 = arith.constant 2176 : index
      tile.store %8, %out[%c2176] : tensor<32xi32>, !tile.view<?xi32>
    }
  }
