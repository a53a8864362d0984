// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @assert(%n: i32) {
  // expected-error@+1 {{needs a condition of i1, not of 'i32'}}
  tile.assert %n, "n" : i32
}

// -----

tile.kernel @print(%v: !tile.view<?xf32>) {
  // expected-error@+1 {{prints scalars and tiles, not a view; load a tile of it}}
  tile.print "v", %v : !tile.view<?xf32>
}
