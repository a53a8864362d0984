// A tile of indices cannot be made wider.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 7:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 16:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: 14:11: remark: a number that 'arith.cmpi' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
// expect: 14:11: error: 'arith.cmpi' reads an index that may not fit 32 bits, and there is no way to compute it in 64; use i64 in the program, or bound it [index-width]
tile.kernel @k(%in: !tile.view<?xi64>, %out: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %x = tile.load %in[%c0] : !tile.view<?xi64> -> tensor<32xi64>
    %n = arith.index_cast %x : tensor<32xi64> to tensor<32xindex>
    %zero = arith.constant dense<0> : tensor<32xindex>
    %is = arith.cmpi sgt, %n, %zero : tensor<32xindex>
    %bits = arith.extui %is : tensor<32xi1> to tensor<32xi32>
    tile.store %bits, %out[%c0] : tensor<32xi32>, !tile.view<?xi32>
  }
}
