// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @iota(%n: i32) {
  // expected-error@+1 {{counts in integers, not in 'f32'}}
  %i = tile.iota : tensor<64xf32>
}

// -----

tile.kernel @unsplat(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{takes a tile of one element, not of 64}}
  %s = tile.unsplat %i : tensor<64xi32> -> i32
}

// -----

tile.kernel @trans(%n: i32) {
  %x = arith.constant dense<0> : tensor<4x8xi32>
  // expected-error@+1 {{orders axes [0, 0] but the tile has 2 axes, each to be named once}}
  %t = tile.trans %x, [0, 0] : tensor<4x8xi32> -> tensor<4x4xi32>
}

// -----

tile.kernel @trans_result(%n: i32) {
  %x = arith.constant dense<0> : tensor<4x8xi32>
  // expected-error@+1 {{gives 'tensor<8x4xi32>', not 'tensor<4x8xi32>'}}
  %t = tile.trans %x, [1, 0] : tensor<4x8xi32> -> tensor<4x8xi32>
}

// -----

tile.kernel @reshape(%n: i32) {
  %x = arith.constant dense<0> : tensor<4x8xi32>
  // expected-error@+1 {{changes the number of elements from 4x8 to 4x4}}
  %t = tile.reshape %x : tensor<4x8xi32> -> tensor<4x4xi32>
}

// -----

tile.kernel @cat(%n: i32) {
  %x = arith.constant dense<0> : tensor<4x8xi32>
  %y = arith.constant dense<0> : tensor<2x4xi32>
  // expected-error@+1 {{joins 4x8 and 2x4 along axis 0, but axis 1 differs}}
  %t = tile.cat %x, %y, 0 : tensor<4x8xi32>, tensor<2x4xi32> -> tensor<6x8xi32>
}

// -----

tile.kernel @join(%n: i32) {
  %x = arith.constant dense<0> : tensor<4xi32>
  // expected-error@+1 {{gives 'tensor<4x2xi32>', not 'tensor<8xi32>'}}
  %t = tile.join %x, %x : tensor<4xi32> -> tensor<8xi32>
}

// -----

tile.kernel @split(%n: i32) {
  %x = arith.constant dense<0> : tensor<2x4xi32>
  // expected-error@+1 {{splits a last axis of extent 2, but the tile is 2x4}}
  %a, %b = tile.split %x : tensor<2x4xi32> -> tensor<4xi32>
}

// -----

tile.kernel @take(%n: i32) {
  %x = arith.constant dense<0> : tensor<2x4xi32>
  %y = arith.constant dense<0> : tensor<2x2xi32>
  // expected-error@+1 {{takes along axis 0 from 2x4 with indices of 2x2, but axis 1 differs}}
  %t = tile.take %x[%y], 0 : tensor<2x4xi32>, tensor<2x2xi32> -> tensor<2x2xi32>
}

// -----

tile.kernel @expand_dims(%n: i32) {
  %x = arith.constant dense<0> : tensor<4xi32>
  // expected-error@+1 {{inserts axis 2 in a tile of 1 axes}}
  %t = tile.expand_dims %x, 2 : tensor<4xi32> -> tensor<4x1xi32>
}

// -----

tile.kernel @broadcast(%n: i32) {
  %x = arith.constant dense<0> : tensor<2x4xi32>
  // expected-error@+1 {{repeats axis 0 of 2x4 to give 8x4, but only an extent of 1 can be repeated}}
  %t = tile.broadcast %x : tensor<2x4xi32> -> tensor<8x4xi32>
}

// -----

tile.kernel @unfold_rank(%n: index) {
  %x = arith.constant dense<0> : tensor<2x4xi32>
  // expected-error@+1 {{unfolds a tile of one axis to one of two, not of 2 to 2}}
  %u = tile.unfold %x from %n {size = 2, step = 1} : tensor<2x4xi32> -> tensor<2x4xi32>
}

// -----

tile.kernel @unfold_element(%n: index) {
  %x = tile.iota : tensor<8xi32>
  // expected-error@+1 {{changes the element type from 'i32' to 'i64'}}
  %u = tile.unfold %x from %n {size = 2, step = 1} : tensor<8xi32> -> tensor<2x4xi64>
}

// -----

tile.kernel @unfold_step(%n: index) {
  %x = tile.iota : tensor<8xi32>
  // expected-error@+1 {{has windows of 2 elements in steps of 0; both are at least 1}}
  %u = tile.unfold %x from %n {size = 2, step = 0} : tensor<8xi32> -> tensor<2x4xi32>
}

// -----

tile.kernel @unfold_columns(%n: index) {
  %x = tile.iota : tensor<8xi32>
  // expected-error@+1 {{puts windows of 5 elements into rows of 4; give the result at least 5 columns}}
  %u = tile.unfold %x from %n {size = 5, step = 1} : tensor<8xi32> -> tensor<2x4xi32>
}

// -----

tile.kernel @unfold_span(%n: index) {
  %x = tile.iota : tensor<8xi32>
  // expected-error@+1 {{has 4 windows of 3 elements in steps of 2, which are 9 elements, in a span of 8}}
  %u = tile.unfold %x from %n {size = 3, step = 2} : tensor<8xi32> -> tensor<4x4xi32>
}

// -----

// 4 times 2^62 is no number of 64 bits.
tile.kernel @unfold_far(%n: index) {
  %c = arith.constant 1 : i32
  %x = tile.splat %c : i32 -> tensor<8xi32>
  // expected-error@+1 {{has 5 windows of 2 elements in steps of 4611686018427387904, which are 9223372036854775807 elements, in a span of 8}}
  %u = tile.unfold %x from %n {size = 2, step = 4611686018427387904} : tensor<8xi32> -> tensor<5x4xi32>
}

// -----

tile.kernel @unfold_behind() {
  %c = arith.constant 1 : i32
  %c3 = arith.constant 3 : index
  %x = tile.splat %c : i32 -> tensor<8xi32>
  // expected-error@+1 {{has windows from 3 to 9 in a span of 8}}
  %u = tile.unfold %x from %c3 {size = 3, step = 1} : tensor<8xi32> -> tensor<4x4xi32>
}
