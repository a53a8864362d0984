// A dot of more matrices than are worth code of their own.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 8:10: error: this dot is 32 products of two matrices; up to 16 are computed one by one [batch-too-long]
tile.kernel @k(%a: !tile.view<?x?x?xf16>, %c: !tile.view<?x?x?xf32>, %n: index, %f: f32) {
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<32x16x16xf32>
    %x = tile.load %a[%i, %i, %i] : !tile.view<?x?x?xf16> -> tensor<32x16x16xf16>
    %d = tile.dot %x, %x, %z : tensor<32x16x16xf16>, tensor<32x16x16xf16> -> tensor<32x16x16xf32>
    tile.store %d, %c[%i, %i, %i] : tensor<32x16x16xf32>, !tile.view<?x?x?xf32>
  }
}
