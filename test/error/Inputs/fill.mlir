// Compiles and does what the oracles of other tests only nearly do.
tile.kernel @k(%c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
