// A dot mixes integers and floating point.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:10: error: 'tile.dot' mixes integers and floating point: 'i8', 'i8' -> 'f32' [element-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %o = arith.constant dense<1> : tensor<64x64xi8>
    %d = tile.dot %o, %o, %z : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xf32>
  }
}
