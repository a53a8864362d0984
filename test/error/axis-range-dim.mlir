// Axes are numbered from 0.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'tile.dim' asks for axis 2 of a view with 2 axes [axis-range]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %d = tile.dim %a, 2 : !tile.view<?x?xf16>
  }
}
