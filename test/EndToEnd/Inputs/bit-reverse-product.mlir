// Back and forth, so that a difference in the last bit of a sum stays one.
tile.kernel @product(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %rows = arith.ceildivui %m, %c128 : index
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c128 : index
    %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
    %sum = scf.for %kk = %c0 to %k step %c32 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<128x32xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<32x128xf16>
      %d = tile.dot %x, %y, %s : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    %bits = arith.bitcast %sum : tensor<128x128xf32> to tensor<128x128xi32>
    %reversed = tile.bit_reverse %bits : tensor<128x128xi32>
    %again = tile.bit_reverse %reversed : tensor<128x128xi32>
    %back = arith.bitcast %again : tensor<128x128xi32> to tensor<128x128xf32>
    tile.store %back, %c[%row, %c0] : tensor<128x128xf32>, !tile.view<?x?xf32>
  }
}
