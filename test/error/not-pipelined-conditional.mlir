// A conditional in the loop.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 15:12: remark: loop 'loop' runs in program order, because it holds a tile.dot and a conditional [not-pipelined]
// expect: 20:7: note: here; arith.select or a mask does without a conditional, and a loop of its own pipelines the dot
// expect: 9:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 21:9: remark: threads store this tile: the kernel accesses the view elsewhere too, and only threads keep that in order [store-not-tma]
// expect: 25:5: remark: threads store this tile: the kernel accesses the view elsewhere too, and only threads keep that in order [store-not-tma]
// expect: 18:12: remark: threads write operand b to shared memory for each dot: 8192 B, and no overlap [operand-staged]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %odd = arith.cmpi eq, %kk, %c0 : index
      scf.if %odd {
        tile.store %d, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
