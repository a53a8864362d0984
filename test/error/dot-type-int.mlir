// No product of 8-bit integers yet.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 13:12: error: 'hopper.wgmma' accumulates in f32, not 'i32' [dot-type]
tile.kernel @k(%a: !tile.view<?x?xi8>, %b: !tile.view<?x?xi8, #tile.order<0, 1>>, %c: !tile.view<?x?xi32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0 : i32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : i32 -> tensor<64x64xi32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xi32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xi8> -> tensor<64x64xi8>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xi8, #tile.order<0, 1>> -> tensor<64x64xi8>
      %d = tile.dot %x, %y, %s : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
      scf.yield %d : tensor<64x64xi32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xi32>, !tile.view<?x?xi32>
  }
}
