// RUN: heddle-opt %s --split-input-file --verify-diagnostics

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @no_second(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    // expected-error@+1 {{is the last meeting, and the block may end while others read its shared memory; a second hopper.cluster_sync is missing}}
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @before(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    // expected-error@+2 {{reads what other blocks may still write; it stands between two hopper.cluster_sync}}
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
    %b_there = hopper.cluster_tile %own from 0 : !row -> !row
    %b = hopper.local_load %b_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @behind(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %b_there = hopper.cluster_tile %own from 0 : !row -> !row
    %b = hopper.local_load %b_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
    // expected-error@+2 {{reads what other blocks may still write; it stands between two hopper.cluster_sync}}
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @writes(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    // expected-error@+1 {{stands between two hopper.cluster_sync, while other blocks read this one's shared memory}}
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @meets(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    // expected-error@+1 {{stands between two hopper.cluster_sync, while other blocks read this one's shared memory}}
    hopper.sync 1 threads 128
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @twice(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error@+1 {{stands in a loop or under a condition; all blocks of a cluster come to it once}}
      hopper.cluster_sync
      %a_there = hopper.cluster_tile %own from 1 : !row -> !row
      %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
      hopper.cluster_sync
    }
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @some(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    %c1 = arith.constant 1 : index
    %is = arith.cmpi eq, %n, %c1 : index
    scf.if %is {
      // expected-error@+1 {{stands in a loop or under a condition; all blocks of a cluster come to it once}}
      hopper.cluster_sync
      %a_there = hopper.cluster_tile %own from 1 : !row -> !row
      %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
      hopper.cluster_sync
    }
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @apart(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %worker = tile.worker_id : index
    %workers = tile.worker_count : index
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
    scf.for %i = %worker to %n step %workers {
      // expected-error@+1 {{stands in another block than the process's other meetings}}
      hopper.cluster_sync
      hopper.cluster_sync
    }
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @alone(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    // expected-error@+1 {{is for blocks of a cluster, and the kernel has no hopper.cluster}}
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @three(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  // expected-error@+1 {{is of 3 blocks; there are powers of two from 2 to 8}}
  hopper.cluster 3
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @sixteen(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  // expected-error@+1 {{is of 16 blocks; there are powers of two from 2 to 8}}
  hopper.cluster 16
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @persistent(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has clusters, and no block for each instance}}
  hopper.grid %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    %a_there = hopper.cluster_tile %own from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @beyond(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    // expected-error@+1 {{is in block 2 of a cluster of 2}}
    %a_there = hopper.cluster_tile %own from 2 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @row(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    %own = hopper.buffer "own" at 0 : !row
    %next = hopper.buffer "next" at 512 : !row
    hopper.local_store %f, %own : tensor<128xf32, #row>, !row
    hopper.local_store %f, %next : tensor<128xf32, #row>, !row
    hopper.sync 1 threads 128
    hopper.cluster_sync
    // expected-error@+1 {{is of a row of 2 tiles that ends at 1536 of 1024 B of shared memory}}
    %a_there = hopper.cluster_tile %next from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @waits(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1040 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.ring "r" depth 1 at 0 slot 512 full 1024 x 4 empty 1032 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    hopper.cluster_sync
    hopper.cluster_sync
    %z = arith.constant 0 : i32
    // expected-error@+1 {{is behind a hopper.cluster_sync; who waits for it would hold up the cluster, which waits for all threads}}
    hopper.arrive "r" "full"[%z]
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @turn(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    %f = arith.constant dense<1.0> : tensor<128xf32, #row>
    // expected-error@+1 {{waits for other blocks, which may wait for this one's cluster}}
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
    hopper.sync 1 threads 128
    hopper.pass_turn %t[%c0] : !tile.view<?xi32>
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @elected(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  // expected-error@+1 {{meets other blocks with one thread, where whole warps do}}
  hopper.process "p" warps 0 + 4 registers 0 elected {
    hopper.cluster_sync
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @slot(%y: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 1040 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.ring "r" depth 1 at 0 slot 512 full 1024 x 4 empty 1032 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %z = arith.constant 0 : i32
    %s = hopper.slot "r"[%z] at 0 : !row
    hopper.cluster_sync
    // expected-error@+1 {{is no hopper.buffer, whose offset is one in all blocks}}
    %a_there = hopper.cluster_tile %s from 1 : !row -> !row
    %a = hopper.local_load %a_there : !row -> tensor<128xf32, #row>
    hopper.cluster_sync
  }
}

// -----

!row = !hopper.smem<128xf32, order = [0], swizzle = 0>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>
hopper.kernel @fewer(%y: !tile.view<?xf32>, %n: index, %m: index) source "k" threads 128 shared 1024 tma [] {
  %worker = tile.worker_id : index
  %workers = tile.worker_count : index
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    scf.for %i = %worker to %m step %workers {
      // expected-error@+1 {{stands in a loop or under a condition; all blocks of a cluster come to it once}}
      hopper.cluster_sync
      hopper.cluster_sync
    }
  }
}
