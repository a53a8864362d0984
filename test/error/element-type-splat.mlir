// A tile of other elements.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:10: error: 'tile.splat' repeats a value of type 'f32' in a tile of 'f16' [element-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64xf16>
  }
}
