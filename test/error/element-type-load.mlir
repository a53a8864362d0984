// A view and its tile have the same elements.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'tile.load' has a tile of 'f32' but the view's elements are 'f16' [element-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x64xf32>
  }
}
