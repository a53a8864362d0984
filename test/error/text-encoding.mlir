// A byte that is no text, in a name that files of JSON would hold.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: a name or another string of 'tile.load' is not UTF-8 text; spell it in other characters [text-encoding]
tile.kernel @copy(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %v = tile.load %x[%c0] {sched.op = "v\FF"} : !tile.view<?xf32> -> tensor<64xf32>
    tile.store %v, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
