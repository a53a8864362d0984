// A function without an approximation.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 11:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
// expect: 10:10: error: 'math.erfc' has no instruction on sm_90a; write it with exp2, log2, sin, cos, tanh, erf, sqrt and arithmetic [no-expansion]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %y = math.erfc %z : tensor<64x64xf32>
    tile.store %y, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
