// Elements that no caller passes.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 10:5: remark: threads store this tile: rows of 0 bytes are no multiple of the smallest swizzle of 32 [store-not-tma]
// expect: 6:1: error: argument 'c' has elements of type 'i1', which no caller can pass [argument-type]
tile.kernel @k(%c: !tile.view<?x?xi1>, %n: index, %f: i1) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : i1 -> tensor<64x64xi1>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xi1>, !tile.view<?x?xi1>
  }
}
