// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @axis(%x: !tile.view<?x?xf16>, %n: index) {
  // expected-error@+1 {{slides windows along axis 2 of a view with 2 axes}}
  %w = tile.window %x axis 2 extent %n, window 0 extent %n, low %n
    : !tile.view<?x?xf16> -> !tile.view<?x?x?xf16>
}

// -----

tile.kernel @position(%x: !tile.view<?x?xf16>, %n: index) {
  // expected-error@+1 {{puts the place in a window at axis 3 of a view that then has 3 axes}}
  %w = tile.window %x axis 1 extent %n, window 3 extent %n, low %n
    : !tile.view<?x?xf16> -> !tile.view<?x?x?xf16>
}

// -----

tile.kernel @stride(%x: !tile.view<?xf16>, %n: index) {
  // expected-error@+1 {{has a stride of 0; it is from 1 to 65535}}
  %w = tile.window %x axis 0 extent %n, window 1 extent %n, low %n {stride = 0}
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
}

// -----

tile.kernel @dilation(%x: !tile.view<?xf16>, %n: index) {
  // expected-error@+1 {{has a dilation of -1; it is from 1 to 65535}}
  %w = tile.window %x axis 0 extent %n, window 1 extent %n, low %n {dilation = -1}
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
}

// -----

tile.kernel @type(%x: !tile.view<?xf16>, %n: index) {
  // expected-error@+1 {{makes a view of type '!tile.view<?x?xf16, #tile.order<0, 1>>', not '!tile.view<?x?xf16>'}}
  %w = tile.window %x axis 0 extent %n, window 1 extent %n, low %n
    : !tile.view<?xf16> -> !tile.view<?x?xf16>
}

// -----

tile.kernel @extent(%x: !tile.view<?xf16>, %n: index) {
  %c3 = arith.constant 3 : index
  // expected-error@+1 {{has the extent 3 along axis 1, which its type says is 4}}
  %w = tile.window %x axis 0 extent %n, window 1 extent %c3, low %n
    : !tile.view<?xf16> -> !tile.view<?x4xf16, #tile.order<0, 1>>
}

// -----

tile.kernel @rank(%x: !tile.view<?x?x?x?x?x?x?x?xf16>, %n: index) {
  // expected-error@+1 {{makes a view of 9 axes; 8 are possible}}
  %w = tile.window %x axis 0 extent %n, window 0 extent %n, low %n
    : !tile.view<?x?x?x?x?x?x?x?xf16> -> !tile.view<?x?x?x?x?x?x?x?x?xf16>
}

// -----

tile.kernel @merged_axes(%x: !tile.view<?x?xf16>) {
  // expected-error@+1 {{merges axes 1 to 2 of a view with 2 axes}}
  %m = tile.merge %x axes 1 to 2 : !tile.view<?x?xf16> -> !tile.view<?xf16>
}

// -----

tile.kernel @merged_type(%x: !tile.view<3x4xf16>) {
  // expected-error@+1 {{makes a view of type '!tile.view<12xf16>', not '!tile.view<?xf16>'}}
  %m = tile.merge %x axes 0 to 1 : !tile.view<3x4xf16> -> !tile.view<?xf16>
}

// -----

tile.kernel @store(%x: !tile.view<?xf16>, %t: f16, %n: index) {
  %w = tile.window %x axis 0 extent %n, window 1 extent %n, low %n
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
  %m = tile.merge %w axes 0 to 1
    : !tile.view<?x?xf16, #tile.order<0, 1>> -> !tile.view<?xf16>
  %tile = tile.splat %t : f16 -> tensor<16xf16>
  // expected-error@+1 {{writes to a view of windows, which may overlap}}
  tile.store %tile, %m[%n] : tensor<16xf16>, !tile.view<?xf16>
}

// -----

tile.kernel @rows_of_fewer_bits(%x: !tile.view<?x?xf16>, %p: i32, %n: index) {
  %r = tile.splat %p : i32 -> tensor<64x1xi32>
  // expected-error@+1 {{takes rows of a tile of 2 axes from 'tensor<64x1xi32>'; that has a place for each row, a column of i64}}
  %t = tile.load %x[%n, %n] rows %r : tensor<64x1xi32> : !tile.view<?x?xf16> -> tensor<64x64xf16>
}

// -----

tile.kernel @rows_of_columns(%x: !tile.view<?x?xf16, #tile.order<0, 1>>, %p: i64, %n: index) {
  %r = tile.splat %p : i64 -> tensor<64x1xi64>
  // expected-error@+1 {{takes rows of a view whose elements in a row are neighbours in memory}}
  %t = tile.load %x[%n, %n] rows %r : tensor<64x1xi64> : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<64x64xf16>
}

// -----

// Three places from 0 to 4, and the next window begins at 4.
tile.kernel @dilated_store(%x: !tile.view<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %w = tile.window %x axis 0 extent %n, window 1 extent %c3, low %c0 {stride = 4, dilation = 2}
    : !tile.view<?xf16> -> !tile.view<?x?xf16, #tile.order<0, 1>>
  tile.parallel (%i) to (%n) {
    %t = tile.load %w[%i, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<16x4xf16>
    // expected-error@+1 {{writes to a view of windows, which may overlap}}
    tile.store %t, %w[%i, %c0] : tensor<16x4xf16>, !tile.view<?x?xf16, #tile.order<0, 1>>
  }
}
