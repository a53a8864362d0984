// The process that loads does not wait for what another one acquires.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 14:12: error: this update orders what the instance reads and writes before and behind it, and the processes of a pipelined kernel do not keep that order; use sem="relaxed" if nothing depends on it, or make two kernels of it [memory-order]
// expect: 16:12: note: this is behind it, and another process has it
tile.kernel @counted(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %done: !tile.ptr<i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %old = tile.atomic_cas acquire, gpu, %done, %one, %one : !tile.ptr<i32>, i32
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    tile.store %s, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
