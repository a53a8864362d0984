// Callers pass at most five axes.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 14:12: remark: threads copy this tile: TMA has at most 5 axes, the view has 6 [load-not-tma]
// expect: 14:12: remark: threads copy this tile: TMA has at most 5 axes, the view has 6 [load-not-tma]
// expect: 6:1: error: argument 'b' has 6 axes; callers pass views of 1 to 5 [argument-type]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?x?x?x?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%c0, %c0, %c0, %c0, %kk, %c0] : !tile.view<?x?x?x?x?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
