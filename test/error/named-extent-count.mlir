// One name for each axis.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:65: error: #tile.shape has 1 names but the tile has 2 axes [named-extent]
tile.kernel @k(%f: f32) {
  %t = tile.splat %f : f32 -> tensor<?x64xf32, #tile.shape<"BM">>
}
