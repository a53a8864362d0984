// RUN: heddle-opt %s --split-input-file --verify-diagnostics

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
!acc = tensor<64x8xf32, #acc>

// Warps differ along axis 0, so four parts remain.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> !acc
    // expected-error@below {{combined along axis 0 it is 'tensor<4x8xf32, #hopper.layout<lane = [0, 2, 0, 4, 0, 0, 0, 0, 0, 0], warp = [1, 0, 2, 0], reg = [0, 1], tile = [4, 8], rep = [1, 1]>>'}}
    %s = hopper.reduce %v axis 0 : !acc -> tensor<1x8xf32, #hopper.layout<lane = [0, 2, 0, 4, 0, 0, 0, 0, 0, 0], warp = [0, 0, 0, 0], reg = [0, 1], tile = [1, 8], rep = [1, 1]>>
        combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      hopper.yield %t : f32
    }
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#row = #hopper.layout<lane = [0, 0, 0, 0, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 1], rep = [1, 1]>
!acc = tensor<64x8xf32, #acc>

// The combiner of one operand takes two scalars.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> !acc
    // expected-error@below {{has 1 operands, so its combiner takes 2 scalars, 'f32', 'f32', not 'f32', 'f32', 'f32'}}
    %s = hopper.reduce %v axis 1 : !acc -> tensor<64x1xf32, #row> combine (%p: f32, %q: f32, %r: f32) {
      hopper.yield %p : f32
    }
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#row = #hopper.layout<lane = [0, 0, 0, 0, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 1], rep = [1, 1]>
!acc = tensor<64x8xf32, #acc>

// What a combiner gives is what its tiles hold.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> !acc
    // expected-error@below {{needs a combiner that ends in hopper.yield of 'f32'}}
    %s = hopper.reduce %v axis 1 : !acc -> tensor<64x1xf32, #row> combine (%p: f32, %q: f32) {
      %i = arith.fptosi %p : f32 to i32
      hopper.yield %i : i32
    }
  }
}

// -----

#twice = #hopper.layout<lane = [0, 1, 0, 1, 1, 0, 2, 0, 4, 0], warp = [], reg = [], tile = [8, 4], rep = [1, 1]>

// Two lanes hold one element: a sum would count it twice.
hopper.kernel @k(%f: f32) source "k" threads 32 shared 0 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %v = tile.splat %f : f32 -> tensor<8x4xf32, #twice>
    // expected-error@below {{cannot combine along axis 1}}
    %s = hopper.reduce %v axis 1 : tensor<8x4xf32, #twice> -> tensor<8x1xf32, #hopper.layout<lane = [0, 0, 0, 0, 1, 0, 2, 0, 4, 0], warp = [], reg = [], tile = [8, 1], rep = [1, 1]>>
        combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      hopper.yield %t : f32
    }
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
!acc = tensor<64x8xf32, #acc>

// A tile of rank 2 has axes 0 and 1.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> !acc
    // expected-error@below {{has axis 2 but its tiles have 2}}
    %s = hopper.reduce %v axis 2 : !acc -> !acc combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      hopper.yield %t : f32
    }
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
!acc = tensor<64x8xf32, #acc>

// Four warps hold different rows.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> !acc
    // expected-error@below {{cannot scan along axis 0}}
    %s = hopper.scan %v axis 0 : !acc -> !acc combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      hopper.yield %t : f32
    }
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>

// Threads that still write a tile, and others that already count in it.
hopper.kernel @k(%n: i32) source "k" threads 32 shared 128 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %v = tile.splat %n : i32 -> tensor<32xi32, #row>
    %b = hopper.buffer "b" at 0 : !hopper.smem<32xi32, order = [0], swizzle = 0>
    hopper.local_store %v, %b : tensor<32xi32, #row>, !hopper.smem<32xi32, order = [0], swizzle = 0>
    // expected-error@below {{counts in shared memory at 0, which other threads may still write; put hopper.sync before it}}
    hopper.local_count %v, %b : tensor<32xi32, #row>, !hopper.smem<32xi32, order = [0], swizzle = 0>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>

// Shared memory counts in i32.
hopper.kernel @k(%n: i32) source "k" threads 32 shared 64 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %v = tile.splat %n : i32 -> tensor<32xi32, #row>
    %b = hopper.buffer "b" at 0 : !hopper.smem<32xi16, order = [0], swizzle = 0>
    // expected-error@below {{counts in one axis of i32}}
    hopper.local_count %v, %b : tensor<32xi32, #row>, !hopper.smem<32xi16, order = [0], swizzle = 0>
  }
}

// -----

#rows = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [], reg = [0, 1], tile = [32, 2], rep = [1, 2]>

// The last window has to end in the tile.
hopper.kernel @k(%n: index) source "k" threads 32 shared 128 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64xf16, order = [0], swizzle = 0>
    // expected-error@below {{has 32 windows of 3 elements in steps of 2 from '!hopper.smem<64xf16}}
    %t = hopper.local_unfold %b from %n {size = 3, step = 2} : !hopper.smem<64xf16, order = [0], swizzle = 0> -> tensor<32x4xf16, #rows>
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 32 shared 128 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64xf16, order = [0], swizzle = 0>
    // expected-error@below {{unfolds a tile of one axis to one of two in registers, not '!hopper.smem<64xf16}}
    %t = hopper.local_unfold %b from %n {size = 3, step = 1} : !hopper.smem<64xf16, order = [0], swizzle = 0> -> tensor<32x4xf16>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [], tile = [32], rep = [1]>

// What is taken has as many elements as indices.
hopper.kernel @k(%n: i32) source "k" threads 32 shared 128 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %v = tile.splat %n : i32 -> tensor<32xi32, #row>
    %b = hopper.buffer "b" at 0 : !hopper.smem<32xf32, order = [0], swizzle = 0>
    // expected-error@below {{gives 'tensor<32xi32, #hopper.layout}}
    %t = hopper.local_take %b[%v], 0 : !hopper.smem<32xf32, order = [0], swizzle = 0>, tensor<32xi32, #row> -> tensor<32xi32, #row>
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 1]>
#row = #hopper.layout<lane = [0, 0, 0, 0, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 1], rep = [1, 1]>

// Four lanes have a part each.
hopper.kernel @k(%f: f32) source "k" threads 128 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %v = tile.splat %f : f32 -> tensor<64x8xf32, #acc>
    // expected-error@below {{combined along axis 1 it is 'tensor<64x4xf32, #hopper.layout<lane = [0, 1, 0, 2, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [8, 0], tile = [64, 4], rep = [1, 1]>>'}}
    %s = hopper.reduce %v axis 1 by_thread : tensor<64x8xf32, #acc> -> tensor<64x1xf32, #row> combine (%p: f32, %q: f32) {
      %t = arith.addf %p, %q : f32
      hopper.yield %t : f32
    }
  }
}

// -----

#rows = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [], reg = [0, 1], tile = [32, 2], rep = [1, 2]>

// 32 times 2^59 and more is no number of 64 bits.
hopper.kernel @k(%n: index) source "k" threads 32 shared 128 tma [] {
  hopper.process "a" warps 0 + 1 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64xf16, order = [0], swizzle = 0>
    // expected-error@below {{has 32 windows of 3 elements in steps of 595056260442243600 from}}
    %t = hopper.local_unfold %b from %n {size = 3, step = 595056260442243600} : !hopper.smem<64xf16, order = [0], swizzle = 0> -> tensor<32x4xf16, #rows>
  }
}

// -----

#rows = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [], reg = [0, 1], tile = [32, 2], rep = [1, 2]>

// What lies behind the tile is another slot's.
hopper.kernel @k(%n: index) source "k" threads 32 shared 128 tma [] {
  %c40 = arith.constant 40 : index
  hopper.process "a" warps 0 + 1 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64xf16, order = [0], swizzle = 0>
    // expected-error@below {{has windows from 40 to 74 of}}
    %t = hopper.local_unfold %b from %c40 {size = 3, step = 1} : !hopper.smem<64xf16, order = [0], swizzle = 0> -> tensor<32x4xf16, #rows>
  }
}
