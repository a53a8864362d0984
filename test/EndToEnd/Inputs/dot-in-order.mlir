// A product whose running sum is stored while the loop goes on, under a condition: the
// loop runs in program order.
tile.kernel @dot_in_order(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>,
                          %c: !tile.view<?x?xf32>, %sums: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %n = tile.dim %a, 1 : !tile.view<?x?xf16>
  %blocks = arith.ceildivui %m, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %rest = arith.remui %k, %c128 : index
      %second = arith.cmpi eq, %rest, %c64 : index
      scf.if %second {
        tile.store %d, %sums[%row, %k] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %s, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
