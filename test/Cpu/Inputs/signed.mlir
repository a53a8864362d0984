// A sum over places from one number to another, either of which may be below zero: those outside of x are zero.
tile.kernel @between(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %low: index, %high: index, %narrow: i16) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%c1) {
    %zero = tile.splat %f0 : f32 -> tensor<1xf32>
    %sum = scf.for %k = %low to %high step %c1 iter_args(%s = %zero) -> (tensor<1xf32>) {
      %wide = arith.index_cast %narrow : i16 to index
      %at = arith.addi %k, %wide : index
      %one = tile.load %x[%at] : !tile.view<?xf32> -> tensor<1xf32>
      %next = arith.addf %s, %one : tensor<1xf32>
      scf.yield %next : tensor<1xf32>
    }
    tile.store %sum, %y[%c0] : tensor<1xf32>, !tile.view<?xf32>
  }
}
