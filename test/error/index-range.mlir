// tile.take reads beyond its tile. The compiled kernel does not; its oracle does.
// RUN: %expect 3 heddle run %S/Inputs/fill.mlir --oracle %s --device=emulator --view c=64x64 --scalar f=1 --scalar n=0
// expect: fill.mlir:2:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: fill.mlir:7:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
// expect: 13:10: error: the index 7 is outside [0, 4), the extent of axis 0 [index-range]
tile.kernel @k(%c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %at = arith.constant dense<7> : tensor<4xi32>
    %v = tile.splat %f : f32 -> tensor<4xf32>
    %w = tile.take %v[%at], 0 : tensor<4xf32>, tensor<4xi32> -> tensor<4xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
