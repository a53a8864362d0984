// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{@BM starts as 96, which is not one of {64, 128}}}
tile.param @BM : {64, 128} = 96

// -----

// expected-error@+1 {{@BM lists 0 but an extent is at least 1}}
tile.param @BM : {0, 128} = 128

// -----

tile.kernel @unknown(%n: index) {
  // expected-error@+1 {{names @BM but no tile.param declares it}}
  %bm = tile.param_value @BM : index
}

// -----

// expected-error@+1 {{argument 't' is neither a view, a pointer nor a scalar: 'tensor<4xf32>'}}
tile.kernel @argument(%t: tensor<4xf32>) {
}

// -----

tile.kernel @parallel(%n: index) {
  // expected-error@+1 {{has 1 indices but 2 bounds}}
  tile.parallel (%i) to (%n, %n) {
  }
}

// -----

// expected-error@+1 {{an order names axis 0 twice}}
tile.kernel @order(%v: !tile.view<?x?xf16, #tile.order<0, 0>>) {
}

// -----

// expected-error@+1 {{the order has 1 axes but the view has 2}}
tile.kernel @order_rank(%v: !tile.view<?x?xf16, #tile.order<0>>) {
}

// -----

tile.kernel @unnamed(%f: f32) {
  // expected-error@+1 {{axis 1 is dynamic, so #tile.shape must name the parameter that gives its extent}}
  %t = tile.splat %f : f32 -> tensor<?x?xf32, #tile.shape<"BM", "">>
}

// -----

tile.kernel @named_twice(%f: f32) {
  // expected-error@+1 {{axis 0 has the extent 4, so #tile.shape must not name "BM" for it}}
  %t = tile.splat %f : f32 -> tensor<4xf32, #tile.shape<"BM">>
}

// -----

tile.kernel @too_large(%f: f32) {
  // expected-error@+1 {{a tile has 1 to 1048576 elements, but this is 'tensor<4294967296x4294967296xf32>'; choose other extents}}
  %t = tile.splat %f : f32 -> tensor<4294967296x4294967296xf32>
}

// -----

tile.kernel @empty(%f: f32) {
  // expected-error@+1 {{a tile has 1 to 1048576 elements, but this is 'tensor<0x8xf32>'; choose other extents}}
  %t = tile.splat %f : f32 -> tensor<0x8xf32>
}
