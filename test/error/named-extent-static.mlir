// Only a dynamic extent is named.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:70: error: axis 0 has the extent 64, so #tile.shape must not name "BM" for it [named-extent]
tile.param @BM : {64, 128} = 64
tile.kernel @k(%f: f32) {
  %t = tile.splat %f : f32 -> tensor<64x64xf32, #tile.shape<"BM", "">>
}
