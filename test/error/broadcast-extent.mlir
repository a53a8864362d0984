// Only an extent of 1 is repeated.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.broadcast' repeats axis 0 of 64x64 to give 128x64, but only an extent of 1 can be repeated [broadcast-extent]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.broadcast %z : tensor<64x64xf32> -> tensor<128x64xf32>
  }
}
