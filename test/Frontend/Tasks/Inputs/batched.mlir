// What examples/task/batched_gemm.mlir says, in tile text.
tile.kernel @batched_gemm(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>,
                          %c: !tile.view<?x?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %z = tile.dim %c, 0 : !tile.view<?x?x?xf16>
  %m = tile.dim %c, 1 : !tile.view<?x?x?xf16>
  %n = tile.dim %c, 2 : !tile.view<?x?x?xf16>
  %k = tile.dim %a, 2 : !tile.view<?x?x?xf16>
  %gm = arith.ceildivui %m, %c128 : index
  %gn = arith.ceildivui %n, %c128 : index
  tile.parallel (%p, %i, %j) to (%z, %gm, %gn) {
    %row = arith.muli %i, %c128 : index
    %col = arith.muli %j, %c128 : index
    %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
    %sum = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
      %x3 = tile.load %a[%p, %row, %kk] : !tile.view<?x?x?xf16> -> tensor<1x128x64xf16>
      %y3 = tile.load %b[%p, %kk, %col] : !tile.view<?x?x?xf16> -> tensor<1x64x128xf16>
      %x = tile.reshape %x3 : tensor<1x128x64xf16> -> tensor<128x64xf16>
      %y = tile.reshape %y3 : tensor<1x64x128xf16> -> tensor<64x128xf16>
      %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    %o = tile.cast %sum : tensor<128x128xf32> -> tensor<128x128xf16>
    %o3 = tile.reshape %o : tensor<128x128xf16> -> tensor<1x128x128xf16>
    tile.store %o3, %c[%p, %row, %col] : tensor<1x128x128xf16>, !tile.view<?x?x?xf16>
  }
}
