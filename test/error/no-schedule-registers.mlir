// Results of more registers than four warps have.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: no schedule for loop 'loop': each of 1 processes needs 288 registers a thread for its results and gets 240; choose smaller tiles [no-schedule]
// expect: 14:12: note: 'load_a' loads 8192 B an iteration
// expect: 15:12: note: 'load_b' loads 65536 B an iteration
// expect: 13:12: note: one iteration loads 73728 B, and 215040 B of shared memory are there for rings; two iterations in flight need twice as much
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x512xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x512xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x512xf16>
      %w = arith.addf %x, %x : tensor<64x64xf16>
      %d = tile.dot %w, %y, %s : tensor<64x64xf16>, tensor<64x512xf16> -> tensor<64x512xf32>
      scf.yield %d : tensor<64x512xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x512xf32>, !tile.view<?x?xf32>
  }
}
