// A negative number of instances.
// RUN: %expect 3 heddle run %s --device=emulator --view c=128 --scalar f=1 --scalar n=-1
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 11:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: 9:3: error: bound 0 of the parallel instances is -1; it must be at least 0 [loop-step]
tile.kernel @k(%c: !tile.view<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
