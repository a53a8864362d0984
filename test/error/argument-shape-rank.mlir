// A view of two axes for one.
// RUN: %expect 3 heddle run %s --device=emulator --view c=128x1 --scalar f=1
// expect: 6:1: remark: @one stays one process, because it has no loop to pipeline [not-specialised]
// expect: 11:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: heddle: error: --view c: view c has 1 axes, not 2 [argument-shape]
tile.kernel @one(%c: !tile.view<?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
