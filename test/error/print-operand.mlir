// A view is no value.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:5: error: 'tile.print' prints scalars and tiles, not a view; load a tile of it [print-operand]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    tile.print "a", %a : !tile.view<?x?xf16>
  }
}
