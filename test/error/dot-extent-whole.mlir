// Two rows of what comes of the product are one, and the tile is too large for threads.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 18:14: remark: tiles of @k stay whole: a split axis is joined with another or cut [not-split]
// expect: 15:12: error: this dot's tile of 128 rows cannot be cut into products of 64 rows, because an operation takes all of its rows together; leave that out, or choose tiles of 64 rows [dot-extent]
// expect: 18:14: note: it is this
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 136 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<128x128xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<128x136xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<136x128xf16>
      %d = tile.dot %x, %y, %s : tensor<128x136xf16>, tensor<136x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    %pairs = tile.reshape %acc : tensor<128x128xf32> -> tensor<64x256xf32>
    tile.store %pairs, %c[%i, %c0] : tensor<64x256xf32>, !tile.view<?x?xf32>
  }
}
