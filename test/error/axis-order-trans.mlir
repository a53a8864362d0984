// tile.trans names every axis once.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.trans' orders axes [0, 0] but the tile has 2 axes, each to be named once [axis-order]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %d = tile.trans %z, [0, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  }
}
