// wgmma has no sums of f64, and the tile is too large for threads.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: the tensor core has no product of 'f16' and 'f16' accumulated in 'f64'; use f16 or bf16 accumulated in f32; left to threads, it would take 16896 multiplications of each thread, where at most 16384 are written out; choose smaller tiles [dot-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf64>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 264 : index
  %f0 = arith.constant 0.0 : f64
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f64 -> tensor<64x128xf64>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x128xf64>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x264xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<264x128xf16>
      %d = tile.dot %x, %y, %s : tensor<64x264xf16>, tensor<264x128xf16> -> tensor<64x128xf64>
      scf.yield %d : tensor<64x128xf64>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x128xf64>, !tile.view<?x?xf64>
  }
}
