// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @user(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{makes a tile for 'tile.store'; only tile.view_reduce waits for a turn}}
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    tile.store %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @index(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{takes turns by a number that is no index of the tile.parallel around it}}
    %t = tile.in_turn %s, %k : tensor<64x64xf32>
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @loop(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    scf.for %l = %c0 to %n step %c1 {
      // expected-error@+1 {{is in turns, and stands in a loop or under a condition; an instance has one turn}}
      tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

tile.kernel @twice(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    // expected-error@+1 {{is in turns, and the kernel accesses the view elsewhere, too}}
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    // expected-note@+1 {{here}}
    tile.view_reduce fadd, %s, %y[%row, %c64] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// The place of a turn is that of the turn before.
tile.kernel @moves(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %p, %c64 : index
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    // expected-error@+1 {{is in turns, and its place along axis 0 is not an index of its own times the tile's extent there}}
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Tiles of 64 rows, 32 apart.
tile.kernel @overlaps(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  %c32 = arith.constant 32 : index
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c32 : index
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    // expected-error@+1 {{is in turns, and its place along axis 0 is not an index of its own times the tile's extent there}}
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// One index chooses both.
tile.kernel @same(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    // expected-error@+1 {{is in turns, and its place along axis 1 is not an index of its own times the tile's extent there}}
    tile.view_reduce fadd, %t, %y[%row, %row] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @more(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %q, %p) to (%m, %n, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_turn %s, %p : tensor<64x64xf32>
    // expected-error@+1 {{is in turns, and instances that differ in index 1 add at one place, too; turns go by one index}}
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @pointer(%y: !tile.ptr<f32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64xf32>
  %v = tile.make_view %y, [%m], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
  tile.parallel (%p) to (%k) {
    %t = tile.in_turn %s, %p : tensor<64xf32>
    // expected-error@+1 {{is in turns, and adds to a view that is no argument of the kernel}}
    tile.view_reduce fadd, %t, %v[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

// Before the first block.
tile.kernel @negative(%y: !tile.view<?xf32>, %k: index) {
  %c = arith.constant -64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64xf32>
  tile.parallel (%p) to (%k) {
    %t = tile.in_turn %s, %p : tensor<64xf32>
    // expected-error@+1 {{is in turns, and its place along axis 0 is not an index of its own times the tile's extent there}}
    tile.view_reduce fadd, %t, %y[%c] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// -----

tile.kernel @no_instances(%y: !tile.view<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64xf32>
  // expected-error@+1 {{is in no tile.parallel, whose instances take turns}}
  %t = tile.in_turn %s, %k : tensor<64xf32>
  tile.view_reduce fadd, %t, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
}

// -----

tile.kernel @placed(%y: !tile.view<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64xf32>
  tile.parallel (%p) to (%k) {
    // expected-error@+1 {{has its place from the indices of the tile.parallel around it; leave out 'at'}}
    %t = tile.in_turn %s, %p at %c0 of %k : tensor<64xf32>
    tile.view_reduce fadd, %t, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
