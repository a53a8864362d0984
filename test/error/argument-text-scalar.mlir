// A scalar that is no number.
// RUN: %expect 3 heddle run %s --device=emulator --view c=128 --scalar f=many
// expect: heddle: error: --scalar f=many: expected NAME=NUMBER, as in alpha=1.5 [argument-text]
tile.kernel @one(%c: !tile.view<?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
