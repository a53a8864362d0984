// Operand b is scaled before the product.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 15:12: error: operand b of this dot is computed by threads in each iteration, but wgmma reads it from shared memory, to which only loads of boxes go while products are in flight: let memory hold it as the dot takes it [dot-operand]
// expect: 14:12: note: it is made here
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x128xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x128xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x128xf16>
      %z = arith.mulf %y, %y : tensor<64x128xf16>
      %d = tile.dot %x, %z, %s : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x128xf32>, !tile.view<?x?xf32>
  }
}
