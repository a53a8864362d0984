// The tensor core path has no f64.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: the tensor core has no product of 'f64' and 'f64' accumulated in 'f64'; use f16 or bf16 accumulated in f32 [dot-type]
tile.kernel @k(%a: !tile.view<?x?xf64>, %b: !tile.view<?x?xf64>, %c: !tile.view<?x?xf64>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 16 : index
  %f0 = arith.constant 0.0 : f64
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f64 -> tensor<64x64xf64>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf64>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf64> -> tensor<64x16xf64>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf64> -> tensor<16x64xf64>
      %d = tile.dot %x, %y, %s : tensor<64x16xf64>, tensor<16x64xf64> -> tensor<64x64xf64>
      scf.yield %d : tensor<64x64xf64>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf64>, !tile.view<?x?xf64>
  }
}
