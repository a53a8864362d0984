// The argument that an instrumented kernel has more would be the second of its name.
// RUN: %expect 3 heddle compile %s --trace -o %t.ptx
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 10:5: remark: threads store this tile: only tiles of 2 axes are staged [store-not-tma]
// expect: 6:1: error: argument 'trace' of kernel 'k' has the name of the one that holds the stamps of an instrumented kernel; give it another [not-instrumented]
tile.kernel @k(%trace: !tile.view<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64xf32>
    tile.store %z, %trace[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
