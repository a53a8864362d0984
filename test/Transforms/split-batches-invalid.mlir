// RUN: heddle-opt %s --split-input-file --tile-split-batches --verify-diagnostics

tile.kernel @many(%a: !tile.view<?x?x?xf16>, %c: !tile.view<?x?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<32x16x16xf32>
  %x = tile.load %a[%i, %i, %i] : !tile.view<?x?x?xf16> -> tensor<32x16x16xf16>
  // expected-error@below {{this dot is 32 products of two matrices; up to 16 are computed one by one [batch-too-long]}}
  %d = tile.dot %x, %x, %acc : tensor<32x16x16xf16>, tensor<32x16x16xf16> -> tensor<32x16x16xf32>
  tile.store %d, %c[%i, %i, %i] : tensor<32x16x16xf32>, !tile.view<?x?x?xf32>
}

// -----

// A running sum along the first axis mixes three matrices, which no halves make.
tile.kernel @three(%a: !tile.view<?x?x?xf16>, %c: !tile.view<?x?x?xf32>, %i: index, %f: f32) {
  %acc = tile.splat %f : f32 -> tensor<3x16x16xf32>
  %x = tile.load %a[%i, %i, %i] : !tile.view<?x?x?xf16> -> tensor<3x16x16xf16>
  // expected-error@below {{this tile of 3 matrices is multiplied one by one, and only a power of two of them can be taken apart here [batch-too-long]}}
  %s = tile.scan %x axis 0 : tensor<3x16x16xf16> -> tensor<3x16x16xf16> combine (%p: f16, %q: f16) {
    %r = arith.addf %p, %q : f16
    tile.yield %r : f16
  }
  %d = tile.dot %s, %x, %acc : tensor<3x16x16xf16>, tensor<3x16x16xf16> -> tensor<3x16x16xf32>
  tile.store %d, %c[%i, %i, %i] : tensor<3x16x16xf32>, !tile.view<?x?x?xf32>
}

// -----

tile.kernel @differ(%i: index, %f: f16, %g: f32) {
  %a = tile.splat %f : f16 -> tensor<2x16x16xf16>
  %b = tile.splat %f : f16 -> tensor<4x16x16xf16>
  %c = tile.splat %g : f32 -> tensor<2x16x16xf32>
  // expected-error@below {{'tile.dot' multiplies 2x16x16 by 4x16x16 into 2x16x16: the first extents must be equal [dot-shape]}}
  %d = tile.dot %a, %b, %c : tensor<2x16x16xf16>, tensor<4x16x16xf16> -> tensor<2x16x16xf32>
}
