// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @more_axes_than_the_view(%q: !tile.view<?xf16>, %row: index) {
  // expected-error@+1 {{has a tile of 2 axes but the view has 1}}
  %x = tile.load %q[%row] : !tile.view<?xf16> -> tensor<64x32xf16>
}

// -----

tile.kernel @offset_missing(%q: !tile.view<?x?x?xf16>, %o: !tile.view<?x?x?xf16>, %row: index) {
  %x = tile.load %q[%row, %row, %row] : !tile.view<?x?x?xf16> -> tensor<64x32xf16>
  // expected-error@+1 {{has 2 offsets but the view has 3 axes}}
  tile.store %x, %o[%row, %row] : tensor<64x32xf16>, !tile.view<?x?x?xf16>
}
