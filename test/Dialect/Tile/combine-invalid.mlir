// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @axis(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{names axis 1 of a tile with 1 axes}}
  %s = tile.reduce %i axis 1 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {
    tile.yield %p : i32
  }
}

// -----

tile.kernel @result(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{gives 'i32', not 'tensor<64xi32>'}}
  %s = tile.reduce %i axis 0 : tensor<64xi32> -> tensor<64xi32> combine (%p: i32, %q: i32) {
    tile.yield %p : i32
  }
}

// -----

tile.kernel @arguments(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{has 1 operands, so its combiner takes 2 scalars, 'i32', 'i32', not 'i32', 'f32'}}
  %s = tile.reduce %i axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: f32) {
    tile.yield %p : i32
  }
}

// -----

tile.kernel @yielded(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{needs a combiner that ends in tile.yield of 'i32'}}
  %s = tile.scan %i axis 0 : tensor<64xi32> -> tensor<64xi32> combine (%p: i32, %q: i32) {
    tile.yield %p, %q : i32, i32
  }
}

// -----

tile.kernel @memory(%p: !tile.ptr<i32>) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{has a combiner with 'tile.gather', which is not a pure scalar op}}
  %s = tile.reduce %i axis 0 : tensor<64xi32> -> i32 combine (%a: i32, %b: i32) {
    %v = tile.gather %p : !tile.ptr<i32> -> i32
    tile.yield %v : i32
  }
}

// -----

tile.kernel @shapes(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  %j = tile.iota : tensor<32xi32>
  // expected-error@+1 {{has an operand (32) and the first (64) of different shapes}}
  %s:2 = tile.reduce %i, %j axis 0 : tensor<64xi32>, tensor<32xi32> -> i32, i32
      combine (%a: i32, %b: i32, %c: i32, %d: i32) {
    tile.yield %a, %b : i32, i32
  }
}

// -----

tile.kernel @histogram(%n: i32) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{has counts of 'tensor<8xf32>' but they are integers along one axis}}
  %h = tile.histogram %i : tensor<64xi32> -> tensor<8xf32>
}
