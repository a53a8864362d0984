// The host divides by zero to find the number of blocks.
// RUN: %expect 3 heddle run %s --oracle %S/Inputs/fill.mlir --device=emulator --view c=64x64 --scalar f=1 --scalar n=0
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 12:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
// expect: heddle: error: grid x of variant 'k': 1 is divided by zero (floordiv) [launch-refused]
tile.kernel @k(%c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %blocks = arith.divui %c1, %n : index
  tile.parallel (%i) to (%blocks) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
