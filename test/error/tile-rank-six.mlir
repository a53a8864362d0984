// No rung has a layout for six axes.
// RUN: %expect 3 heddle run %s --device=emulator --view a=2x1x1x1x1x32 --view b=2x1x1x1x1x32
// expect: 8:10: error: a tile has 1 to 5 axes, but this is 'tensor<1x1x1x1x1x32xf32>'; use a scalar, or give it an axis of extent 1 [tile-rank]
tile.kernel @f(%a: !tile.view<?x?x?x?x?x?xf32>, %b: !tile.view<?x?x?x?x?x?xf32>) {
  %n = tile.dim %a, 0 : !tile.view<?x?x?x?x?x?xf32>
  %c0 = arith.constant 0 : index
  tile.parallel (%j) to (%n) {
    %t = tile.load %a[%j, %c0, %c0, %c0, %c0, %c0] : !tile.view<?x?x?x?x?x?xf32> -> tensor<1x1x1x1x1x32xf32>
    tile.store %t, %b[%j, %c0, %c0, %c0, %c0, %c0] : tensor<1x1x1x1x1x32xf32>, !tile.view<?x?x?x?x?x?xf32>
  }
}
