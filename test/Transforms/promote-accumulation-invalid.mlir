// RUN: heddle-opt %s --tile-promote-accumulation --verify-diagnostics

tile.kernel @small(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  // expected-error@below {{max_imprecise_acc is 32, but one dot sums 64 products; choose a tile of at most 32 along K}}
  %d = tile.dot %x, %x, %acc {max_imprecise_acc = 32 : i64} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %d, %c[%i, %i] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
