// Nothing is written to windows that may overlap.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 10:5: error: 'tile.store' writes to a view of windows, which may overlap [window-store]
tile.kernel @k(%x: !tile.view<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %w = tile.window %x axis 0 extent %n, window 1 extent %n, low %c0
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
  tile.parallel (%i) to (%n) {
    %t = tile.load %w[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<16x16xf16>
    tile.store %t, %w[%i, %c0] : tensor<16x16xf16>, !tile.view<?x?xf16, #tile.order<0, 1>>
  }
}
