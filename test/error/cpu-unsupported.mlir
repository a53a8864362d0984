// What has no lowering to the CPU is named.
// RUN: %expect 2 heddle compile %s --emit=llvm -o %t.ll
// expect: 7:10: error: 'tile.splat' has no lowering to the CPU yet to a 'tensor<4x4xf32>' [cpu-unsupported]
tile.kernel @k(%p: !tile.ptr<f32>, %n: index) {
  tile.parallel (%i) to (%n) {
    %v = tile.gather %p : !tile.ptr<f32> -> f32
    %t = tile.splat %v : f32 -> tensor<4x4xf32>
    %u = tile.trans %t, [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  }
}
