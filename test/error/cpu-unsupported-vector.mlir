// The same of kernels whose tiles are vectors.
// RUN: %expect 2 heddle compile %s --emit=llvm -o %t.ll
// expect: 8:10: error: 'tile.trans' has no lowering to the CPU yet [cpu-unsupported]
tile.kernel @k(%p: !tile.ptr<f32>, %n: index) {
  tile.parallel (%i) to (%n) {
    %v = tile.gather %p : !tile.ptr<f32> -> f32
    %t = tile.splat %v : f32 -> tensor<4xf32>
    %u = tile.trans %t, [0] : tensor<4xf32> -> tensor<4xf32>
  }
}
