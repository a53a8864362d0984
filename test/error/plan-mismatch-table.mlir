// An operation whose entry stands in the table of another loop.
// RUN: heddle compile %s --emit=sched | sed -e '/sched.entry "load_a"/{h;d}' -e '/sched.entry "store_c"/{G}' > %t.mlir
// RUN: %expect 3 heddle compile %t.mlir -o %t.ptx
// expect: 12:12: error: 'sched.entry' schedules 'load_a' in loop 'tiles', and it stands in loop 'loop' [plan-mismatch]
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
