// A loop over what the caller passes in 64 bits counts in 64 bits.
// RUN: %expect 0 heddle run %s --device=emulator --scalar lo=1099511627776 --scalar hi=1099511627779 --view out=1
// expect: 7:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 20:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: 14:12: remark: a number that 'scf.for' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
// expect: 15:12: remark: a number that 'arith.index_cast' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
tile.kernel @k(%out: !tile.view<?xi64>, %lo: i64, %hi: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = arith.index_cast %lo : i64 to index
  %h = arith.index_cast %hi : i64 to index
  tile.parallel (%i) to (%c1) {
    %zero = arith.constant 0 : i64
    %sum = scf.for %p = %l to %h step %c1 iter_args(%s = %zero) -> (i64) {
      %q = arith.index_cast %p : index to i64
      %t = arith.addi %s, %q : i64
      scf.yield %t : i64
    }
    %tile = tile.splat %sum : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}
