// tile.gather needs pointers.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'tile.gather' needs a !tile.ptr or a tile of them, not 'f32' [pointer-needed]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %x = tile.gather %f : f32 -> f32
  }
}
