// K is odd, and the tile too large for threads.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: a dot with a contraction of 137 is no whole number of wgmma steps; K must be a multiple of 16 for 'f16'; left to threads, it would take 17536 multiplications of each thread, where at most 16384 are written out; choose smaller tiles [dot-extent]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 137 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x256xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x256xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x137xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<137x256xf16>
      %d = tile.dot %x, %y, %s : tensor<64x137xf16>, tensor<137x256xf16> -> tensor<64x256xf32>
      scf.yield %d : tensor<64x256xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x256xf32>, !tile.view<?x?xf32>
  }
}
