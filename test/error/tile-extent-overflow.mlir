// The number of elements overflows.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: a tile has 1 to 1048576 elements, but this is 'tensor<4294967296x4294967296x4294967296xf32>'; choose other extents [tile-extent]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<4294967296x4294967296x4294967296xf32>
  }
}
