// 100 rows are no multiple of 64 or 16, and the tile too large for threads.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 14:12: remark: tiles of @k stay whole: a dot of 100 rows is no multiple of 64 [not-split]
// expect: 14:12: error: a dot of 100 rows does not fit one wgmma of 64; split M into sub-tiles of 64 rows; left to threads, it would take 19200 multiplications of each thread, where at most 16384 are written out; choose smaller tiles [dot-extent]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 96 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<100x256xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<100x256xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<100x96xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<96x256xf16>
      %d = tile.dot %x, %y, %s : tensor<100x96xf16>, tensor<96x256xf16> -> tensor<100x256xf32>
      scf.yield %d : tensor<100x256xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<100x256xf32>, !tile.view<?x?xf32>
  }
}
