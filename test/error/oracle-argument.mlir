// A view of fixed extents is given others.
// RUN: %expect 3 heddle run %s --device=emulator --view c=32x64 --scalar f=1
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 11:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
// expect: 6:1: error: argument 'c' has the extent 64 along axis 0 but an array of 32 was given [oracle-argument]
tile.kernel @k(%c: !tile.view<64x64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
  }
}
