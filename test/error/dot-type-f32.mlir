// f32 operands, of a tile too large for threads.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: the tensor core has no product of 'f32' and 'f32' accumulated in 'f32'; say that their low bits do not count (tf32), or use f16 or bf16 accumulated in f32; left to threads, it would take 20480 multiplications of each thread, where at most 16384 are written out; choose smaller tiles [dot-type]
tile.kernel @k(%a: !tile.view<?x?xf32>, %b: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 160 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x256xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x256xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf32> -> tensor<64x160xf32>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf32> -> tensor<160x256xf32>
      %d = tile.dot %x, %y, %s : tensor<64x160xf32>, tensor<160x256xf32> -> tensor<64x256xf32>
      scf.yield %d : tensor<64x256xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x256xf32>, !tile.view<?x?xf32>
  }
}
