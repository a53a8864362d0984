// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @power(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{makes clusters of 3 blocks; there are 2, 4, 8 or another power of two}}
    %t = tile.in_cluster %s, %p by 3 : tensor<64x64xf32>
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @one(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{makes clusters of 1 blocks; there are 2, 4, 8 or another power of two}}
    %t = tile.in_cluster %s, %p by 1 : tensor<64x64xf32>
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @number(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{forms clusters by a number that is no index of the tile.parallel around it}}
    %t = tile.in_cluster %s, %k by 4 : tensor<64x64xf32>
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @first(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{says by which index of the tile.parallel around it instances form clusters, and no 'first'}}
    %t = tile.in_cluster %s, %p by 4 first %k : tensor<64x64xf32>
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @outside(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{is in no tile.parallel, whose instances form clusters}}
  %t = tile.in_cluster %s, %k by 4 : tensor<64x64xf32>
  tile.view_reduce fadd, %t, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @stored(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    // expected-error@+1 {{makes a tile for 'tile.store'; only tile.view_reduce is added by one}}
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>
    tile.store %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @writes(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>
    // expected-error@+1 {{is added by a cluster, and the kernel writes elsewhere, too, which blocks behind the last part would do once more}}
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    // expected-note@+1 {{here}}
    tile.store %s, %x[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @loop(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>
    scf.for %u = %c0 to %n step %c64 {
      // expected-error@+1 {{is added by a cluster, and stands in a loop or under a condition; blocks of a cluster add up once}}
      tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    }
  }
}

// -----

tile.kernel @more(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %q, %p) to (%m, %n, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>
    // expected-error@+1 {{is added by a cluster, and instances that differ in index 1 add at one place, too; clusters go by one index}}
    tile.view_reduce fadd, %t, %y[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @place(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>
    // expected-error@+1 {{is added by a cluster, and its place along axis 0 is not an index of its own times the tile's extent there}}
    tile.view_reduce fadd, %t, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @bits(%y: !tile.view<?x?xi32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1 : i32
  %s = tile.splat %f : i32 -> tensor<64x64xi32>
  tile.parallel (%i, %p) to (%m, %k) {
    %row = arith.muli %i, %c64 : index
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xi32>
    // expected-error@+1 {{is xor, and a cluster knows fadd, add, min and max}}
    tile.view_reduce xor, %t, %y[%row, %c0] : tensor<64x64xi32>, !tile.view<?x?xi32>
  }
}
