// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @splat(%f: f32) {
  // expected-error@+1 {{repeats a value of type 'f32' in a tile of 'f16'}}
  %t = tile.splat %f : f32 -> tensor<4xf16>
}

// -----

tile.kernel @cast(%f: f32) {
  %t = tile.splat %f : f32 -> tensor<4x8xf32>
  // expected-error@+1 {{converts a tile of 4x8 to one of 8x4}}
  %u = tile.cast %t : tensor<4x8xf32> -> tensor<8x4xf16>
}

// -----

tile.kernel @cast_integer(%n: i32) {
  // expected-error@+1 {{converts between floating-point types, not 'i32'; arith converts integers}}
  %u = tile.cast %n : i32 -> f32
}

// -----

tile.kernel @inner(%f: f32) {
  %a = tile.splat %f : f32 -> tensor<16x8xf32>
  %c = tile.splat %f : f32 -> tensor<16x16xf32>
  // expected-error@+1 {{multiplies 16x8 by 16x8: the inner extents must be equal}}
  %d = tile.dot %a, %a, %c : tensor<16x8xf32>, tensor<16x8xf32> -> tensor<16x16xf32>
}

// -----

tile.kernel @accumulator(%f: f32) {
  %a = tile.splat %f : f32 -> tensor<16x8xf32>
  %b = tile.splat %f : f32 -> tensor<8x16xf32>
  // expected-error@+1 {{adds a product of 16x16 to an accumulator of 16x8}}
  %d = tile.dot %a, %b, %a : tensor<16x8xf32>, tensor<8x16xf32> -> tensor<16x8xf32>
}

// -----

tile.param @BM : {64, 128} = 128
tile.param @BN : {64, 128} = 128
tile.kernel @named(%f: f32) {
  %a = tile.splat %f : f32 -> tensor<16x?xf32, #tile.shape<"", "BM">>
  %b = tile.splat %f : f32 -> tensor<?x16xf32, #tile.shape<"BN", "">>
  %c = tile.splat %f : f32 -> tensor<16x16xf32>
  // expected-error@+1 {{multiplies 16xBM by BNx16: the inner extents must be equal}}
  %d = tile.dot %a, %b, %c : tensor<16x?xf32, #tile.shape<"", "BM">>, tensor<?x16xf32, #tile.shape<"BN", "">> -> tensor<16x16xf32>
}

// -----

tile.kernel @offsets(%v: !tile.view<?x?xf32>, %n: index) {
  // expected-error@+1 {{has 1 offsets but the view has 2 axes}}
  %t = tile.load %v[%n] : !tile.view<?x?xf32> -> tensor<4x4xf32>
}

// -----

tile.kernel @elements(%v: !tile.view<?x?xf32>, %n: index) {
  // expected-error@+1 {{has a tile of 'f16' but the view's elements are 'f32'}}
  %t = tile.load %v[%n, %n] : !tile.view<?x?xf32> -> tensor<4x4xf16>
}

// -----

tile.kernel @dim(%v: !tile.view<?x?xf32>) {
  // expected-error@+1 {{asks for axis 2 of a view with 2 axes}}
  %d = tile.dim %v, 2 : !tile.view<?x?xf32>
}
