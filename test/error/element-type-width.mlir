// Elements that are no bytes, and no condition either.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: a tile's elements have 8, 16, 32 or 64 bits, or are i1 or tf32, but this is 'tensor<64xi4>'; cast them to a wider type [element-type]
tile.kernel @copy(%x: !tile.view<?xi4>, %y: !tile.view<?xi4>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %v = tile.load %x[%c0] : !tile.view<?xi4> -> tensor<64xi4>
    tile.store %v, %y[%c0] : tensor<64xi4>, !tile.view<?xi4>
  }
}
