// The sequential program of slot_reduce.aref.mlir.

tile.kernel @slot_reduce(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>, %z: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %v = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %s = tile.reduce %v axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %u = arith.addf %p, %q : f32
      tile.yield %u : f32
    }
    %w = tile.trans %v, [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    %w2 = arith.addf %w, %w : tensor<64x64xf32>
    %n = tile.reduce %v axis 0 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
      %u = arith.maximumf %p, %q : f32
      tile.yield %u : f32
    }
    %m = arith.addf %n, %s : tensor<64xf32>
    tile.store %m, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
    tile.store %w2, %z[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
