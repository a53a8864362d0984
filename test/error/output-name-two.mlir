// Two kernels and one name.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:1: remark: @one stays one process, because it has no loop to pipeline [not-specialised]
// expect: 16:1: remark: @two stays one process, because it has no loop to pipeline [not-specialised]
// expect: 13:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: 21:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: heddle: error: -o names one file, but output-name-two.mlir holds 2 kernels; leave it out [output-name]
tile.kernel @one(%c: !tile.view<?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
tile.kernel @two(%c: !tile.view<?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
