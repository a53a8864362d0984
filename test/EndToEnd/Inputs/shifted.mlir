// A product of matrices read from one column on, and stored three columns to the left:
// TMA starts loads at multiples of 16 bytes only, and stores inside the view.
tile.kernel @shifted(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %left = arith.constant -4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %blocks = arith.ceildivui %m, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %s = scf.for %kk = %c0 to %k step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %next = arith.addi %kk, %c1 : index
      %x = tile.load %a[%row, %next] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %y = tile.load %b[%next, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
      %d = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %s, %c[%row, %left] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
