// One offset for each axis.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'tile.load' has 1 offsets but the view has 2 axes [rank-mismatch]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %x = tile.load %a[%i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  }
}
