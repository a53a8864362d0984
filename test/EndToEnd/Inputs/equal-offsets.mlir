// Tiles at [0, 0], where one value is the offset along both axes.
tile.kernel @equal_offsets(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>,
                           %c: !tile.view<?x?xf32>, %sum: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  tile.parallel (%i) to (%c1) {
    %s = scf.for %kk = %c0 to %k step %c32 iter_args(%acc = %zero) -> (tensor<128x32xf32>) {
      %x = tile.load %a[%kk, %kk] : !tile.view<?x?xf16> -> tensor<128x32xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<32x32xf16>
      %d = tile.dot %x, %y, %acc : tensor<128x32xf16>, tensor<32x32xf16> -> tensor<128x32xf32>
      scf.yield %d : tensor<128x32xf32>
    }
    tile.store %s, %c[%c0, %c0] : tensor<128x32xf32>, !tile.view<?x?xf32>
    tile.view_reduce fadd, %s, %sum[%c0, %c0] : tensor<128x32xf32>, !tile.view<?x?xf32>
  }
}
