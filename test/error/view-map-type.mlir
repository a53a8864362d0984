// The message says which type the merged view has.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:8: error: 'tile.merge' makes a view of type '!tile.view<?x?xf16>', not '!tile.view<?xf16>' [view-map]
tile.kernel @k(%x: !tile.view<?x?x?xf16>, %y: !tile.view<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %m = tile.merge %x axes 0 to 1 : !tile.view<?x?x?xf16> -> !tile.view<?xf16>
  tile.parallel (%i) to (%n) {
    %t = tile.load %m[%i] : !tile.view<?xf16> -> tensor<16xf16>
    tile.store %t, %y[%i] : tensor<16xf16>, !tile.view<?xf16>
  }
}
