// wgmma has no 16-bit integers, and the tile is too large for threads.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: the tensor core has no product of 'i16' and 'i16' accumulated in 'i32'; use f16 or bf16 accumulated in f32; left to threads, it would take 20480 multiplications of each thread, where at most 16384 are written out; choose smaller tiles [dot-type]
tile.kernel @k(%a: !tile.view<?x?xi16>, %b: !tile.view<?x?xi16>, %c: !tile.view<?x?xi32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 160 : index
  %f0 = arith.constant 0 : i32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : i32 -> tensor<64x256xi32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x256xi32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xi16> -> tensor<64x160xi16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xi16> -> tensor<160x256xi16>
      %d = tile.dot %x, %y, %s : tensor<64x160xi16>, tensor<160x256xi16> -> tensor<64x256xi32>
      scf.yield %d : tensor<64x256xi32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x256xi32>, !tile.view<?x?xi32>
  }
}
