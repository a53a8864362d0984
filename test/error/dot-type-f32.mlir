// f32 operands.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: the tensor core has no product of 'f32' and 'f32' accumulated in 'f32'; say that their low bits do not count (tf32), or use f16 or bf16 accumulated in f32 [dot-type]
tile.kernel @k(%a: !tile.view<?x?xf32>, %b: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf32> -> tensor<64x32xf32>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf32> -> tensor<32x64xf32>
      %d = tile.dot %x, %y, %s : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
