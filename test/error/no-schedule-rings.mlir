// Tiles of which two do not fit shared memory.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: no schedule for loop 'loop': the rings need 262144 B of shared memory and there are 215040 B; choose smaller tiles [no-schedule]
// expect: 14:12: note: 'load_a' loads 131072 B an iteration
// expect: 15:12: note: 'load_b' loads 131072 B an iteration
// expect: 13:12: note: one iteration loads 262144 B, and 215040 B of shared memory are there for rings; two iterations in flight need twice as much
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 1024 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x1024xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<1024x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x1024xf16>, tensor<1024x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
