// 8-bit operands are contiguous along K.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 12:12: error: operand b of a dot has 8-bit elements and stride 1 along axis 1; wgmma reads 8-bit elements only with stride 1 along K, axis 0: store this matrix in the other order [dot-operand]
tile.kernel @k(%a: !tile.view<?x?xi8>, %b: !tile.view<?x?xi8>, %c: !tile.view<?x?xi32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0 : i32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : i32 -> tensor<64x64xi32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xi32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xi8> -> tensor<64x64xi8>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xi8> -> tensor<64x64xi8>
      %d = tile.dot %x, %y, %s : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
      scf.yield %d : tensor<64x64xi32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xi32>, !tile.view<?x?xi32>
  }
}
