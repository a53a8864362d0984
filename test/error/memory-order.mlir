// Processes that load ahead do not see what others store.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 15:12: error: this may read what the same instance has written, and the processes of a pipelined kernel do not keep that order [memory-order]
// expect: 20:7: note: written here; make two kernels of it
tile.kernel @powers(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    scf.for %k = %c0 to %n step %c64 {
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %p = tile.cast %s : tensor<64x64xf32> -> tensor<64x64xf16>
      // The next iteration reads it.
      %next = arith.addi %k, %c64 : index
      tile.store %p, %a[%row, %next] : tensor<64x64xf16>, !tile.view<?x?xf16>
    }
  }
}
