// A number that a while loop carries is 64 bits wide: the first power of
// 3 above 2^32 is 3^21.
// RUN: heddle run %s --device=emulator --view out=1 --scalar n=4294967296 2>/dev/null | FileCheck %s
// CHECK: out (1xi64): equal to the oracle; right
tile.kernel @k(%out: !tile.view<?xi64>, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = arith.index_cast %n : i64 to index
  tile.parallel (%i) to (%c1) {
    %end = scf.while (%p = %c1) : (index) -> (index) {
      %more = arith.cmpi slt, %p, %m : index
      scf.condition(%more) %p : index
    } do {
    ^bb0(%p: index):
      %next = arith.muli %p, %c3 : index
      scf.yield %next : index
    }
    %number = arith.index_cast %end : index to i64
    %tile = tile.splat %number : i64 -> tensor<1xi64>
    tile.store %tile, %out[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}
