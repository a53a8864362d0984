// RUN: heddle-opt %s --split-input-file --verify-diagnostics

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @open(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{awaits a turn that this block does not pass}}
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @twice(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    // expected-error@+1 {{awaits a turn before the one before is passed}}
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @early(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    // expected-error@+1 {{adds before all threads know that the turn has come; a hopper.sync is missing}}
    tile.view_reduce fadd, %f, %y[%c0] : tensor<128xf32, #row>, !tile.view<?xf32>
    hopper.sync 1 threads 128
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @late(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.sync 1 threads 128
    tile.view_reduce fadd, %f, %y[%c0] : tensor<128xf32, #row>, !tile.view<?xf32>
    // expected-error@+1 {{passes a turn while threads may still add; a hopper.sync is missing}}
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @alone(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{passes a turn that is not awaited before it in this block}}
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @other(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %c1 = arith.constant 1 : index
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    // expected-error@+1 {{passes a turn that is not awaited before it in this block}}
    hopper.pass_turn %t[%c1] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @instances(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{waits for other instances, and the grid has no block for each instance}}
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @uncounted(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{counts in a view that hopper.counters does not make}}
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

hopper.kernel @floats(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  // expected-error@+1 {{is of an argument of the kernel, a view of i32 of one axis}}
  hopper.counters %y, %n for %t : !tile.view<?xf32>, !tile.view<?xi32>
}

// -----

hopper.kernel @extent(%y: !tile.view<?xf32>, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %x = tile.worker_id : index
  // expected-error@+1 {{has a count that a host cannot compute}}
  hopper.counters %t, %x for %y : !tile.view<?xi32>, !tile.view<?xf32>
}

// -----

hopper.kernel @under_way(%y: !tile.view<?x?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?x?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "out" at 0 : !hopper.smem<64x32xf32, order = [1, 0], swizzle = 128>
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.tma_store %b add to %y[%c0, %c0] : !hopper.smem<64x32xf32, order = [1, 0], swizzle = 128>, !tile.view<?x?xf32>
    hopper.tma_store_wait 0
    // expected-error@+1 {{passes a turn while TMA may still add; `hopper.tma_store_wait 0 complete` is missing}}
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @before(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{adds out of turn to a view that hopper.counters is for}}
    tile.view_reduce fadd, %f, %y[%c0] : tensor<128xf32, #row>, !tile.view<?xf32>
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.sync 1 threads 128
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @never(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{adds out of turn to a view that hopper.counters is for}}
    tile.view_reduce fadd, %f, %y[%c0] : tensor<128xf32, #row>, !tile.view<?xf32>
  }
}

// -----

// The turn of another view.
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @another(%y: !tile.view<?xf32>, %z: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>, %u: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.counters %u, %n for %z : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.sync 1 threads 128
    // expected-error@+1 {{adds out of turn to a view that hopper.counters is for}}
    tile.view_reduce fadd, %f, %z[%c0] : tensor<128xf32, #row>, !tile.view<?xf32>
    hopper.sync 1 threads 128
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

hopper.kernel @itself(%t: !tile.view<?xi32>, %n: index) source "k" threads 128 shared 0 tma [] {
  // expected-error@+1 {{is for another argument of the kernel, to which blocks add}}
  hopper.counters %t, %n for %t : !tile.view<?xi32>, !tile.view<?xi32>
}
