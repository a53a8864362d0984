// A loop that adds tiles.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 11:12: remark: loop 'loop' runs in program order, because it holds no tile.dot [not-pipelined]
// expect: 6:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 16:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
tile.kernel @k(%a: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>, %n: index, %k: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %sum = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %z) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf32> -> tensor<64x64xf32>
      %t = arith.addf %s, %x : tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    tile.store %sum, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
