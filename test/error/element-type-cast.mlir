// tile.cast is for floating point.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:10: error: 'tile.cast' converts between floating-point types, not 'i32'; arith converts integers [element-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %o = arith.constant dense<1> : tensor<64xi32>
    %d = tile.cast %o : tensor<64xi32> -> tensor<64xf32>
  }
}
