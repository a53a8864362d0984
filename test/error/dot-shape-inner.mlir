// K differs.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:10: error: 'tile.dot' multiplies 64x32 by 64x32: the inner extents must be equal [dot-shape]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x32xf16>
    %d = tile.dot %x, %x, %z : tensor<64x32xf16>, tensor<64x32xf16> -> tensor<64x64xf32>
  }
}
