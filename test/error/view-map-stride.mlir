// Windows move on, by at least one element.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:8: error: 'tile.window' has a stride of -2; it is from 1 to 65535 [view-map]
tile.kernel @k(%x: !tile.view<?xf16>, %y: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %w = tile.window %x axis 0 extent %n, window 1 extent %n, low %c0 {stride = -2}
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
  tile.parallel (%i) to (%n) {
    %t = tile.load %w[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<16x16xf16>
    tile.store %t, %y[%i, %c0] : tensor<16x16xf16>, !tile.view<?x?xf16>
  }
}
