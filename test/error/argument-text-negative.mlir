// A negative extent.
// RUN: %expect 3 heddle run %s --device=emulator --view c=-128 --scalar f=1
// expect: heddle: error: --view c=-128: expected NAME=EXTENTxEXTENT, as in a=512x256 or a=512x256xf16 [argument-text]
tile.kernel @one(%c: !tile.view<?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
