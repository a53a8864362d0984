// What is for the interpreter is left out of the kernel.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 10:5: remark: nothing prints on sm_90a: run the program in the interpreter to see it [print-dropped]
// expect: 11:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.print "i", %i : index
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
