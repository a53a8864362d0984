// A ring whose barrier waits for an arrival that never comes.
// RUN: heddle compile %s --emit=hopper | sed 's/full \([0-9]*\) x 1/full \1 x 2/' > %t.mlir
// RUN: %expect 1 heddle run %t.mlir --oracle %s --device=emulator --view a=64x64 --view b=64x64 --view c=64x64 --scalar m=1 --scalar k=64
// expect: heddle: error: emulator: kernel 'k', CTA (0,0,0): deadlock; nobody can go on [launch-failed]
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
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
