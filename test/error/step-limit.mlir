// A loop that nobody can wait for, with nothing in it but its end.
// RUN: %expect 3 heddle run %s --device=emulator --view x=64 --max-steps=100000
// expect: 6:1: remark: @forever stays one process, because it has no loop to pipeline [not-specialised]
// expect: 14:5: remark: threads store this tile: the kernel accesses the view elsewhere too, and only threads keep that in order [store-not-tma]
// expect: 12:5: error: the oracle stops after 100000 operations [step-limit]
tile.kernel @forever(%x: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 2000000000 : index
  tile.parallel (%p) to (%c1) {
    %t = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<64xf32>
    scf.for %i = %c0 to %many step %c1 {
    }
    tile.store %t, %x[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
