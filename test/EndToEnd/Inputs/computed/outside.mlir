// The right operand is computed once, in front of the loop, and the rows of A are many.
tile.kernel @outside(%a: !tile.view<?x?xf16>, %b: !tile.view<64x64xf16>, %c: !tile.view<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %a, 1 : !tile.view<?x?xf16>
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  tile.parallel (%i) to (%gm) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %y = tile.load %b[%c0, %c0] : !tile.view<64x64xf16> -> tensor<64x64xf16>
    %z = arith.addf %y, %y : tensor<64x64xf16>
    %sum = scf.for %kk = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %z, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32>
  }
}
