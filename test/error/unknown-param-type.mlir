// The type of a tile names a parameter that nobody declares.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: a tile type names the parameter BX; the program declares BM [unknown-param]
tile.param @BM : {64, 128} = 64
tile.kernel @k(%a: !tile.view<?x?xf16>, %i: index) {
  tile.parallel (%j) to (%i) {
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<?x?xf16, #tile.shape<"BM", "BX">>
  }
}
