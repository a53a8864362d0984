// The accumulator is of another size.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 10:10: error: 'tile.dot' adds a product of 64x128 to an accumulator of 64x64 [dot-shape]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<32x128xf16>
    %d = tile.dot %x, %y, %z : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x64xf32>
  }
}
