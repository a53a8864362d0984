// RUN: heddle-opt %s --split-input-file --verify-diagnostics
// Budgets, places and barriers of a kernel.

// expected-error @+1 {{needs whole warps, at most 1024 threads, has 100 threads}}
hopper.kernel @threads() source "k" threads 100 shared 0 tma [] {
}

// -----

// expected-error @+1 {{needs 232449 B of shared memory, sm_90a has 232448 B}}
hopper.kernel @shared() source "k" threads 128 shared 232449 tma [] {
}

// -----

hopper.kernel @overlap() source "k" threads 256 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
  }
  // expected-error @+1 {{'q' shares warp 3 with 'p'}}
  hopper.process "q" warps 3 + 4 registers 0 {
  }
}

// -----

hopper.kernel @outside() source "k" threads 128 shared 0 tma [] {
  // expected-error @+1 {{'p' has warps 2 to 5 of a block of 4}}
  hopper.process "p" warps 2 + 4 registers 0 {
  }
}

// -----

hopper.kernel @step() source "k" threads 128 shared 0 tma [] {
  // expected-error @+1 {{'p' has a budget of 100 registers; it must be a multiple of 8 from 24 to 256}}
  hopper.process "p" warps 0 + 4 registers 100 {
  }
}

// -----

hopper.kernel @group() source "k" threads 128 shared 0 tma [] {
  // expected-error @+1 {{'p' has a register budget, which needs aligned groups of four warps}}
  hopper.process "p" warps 0 + 2 registers 40 {
  }
}

// -----

// The pool is what the launch allocates, not the register file: setmaxnreg would
// wait for ever.
// expected-error @+1 {{budgets ask for 65536 registers, but the launch allocates 168 x 384 threads = 64512}}
hopper.kernel @pool() source "k" threads 384 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 128 {
  }
  hopper.process "q" warps 4 + 8 registers 192 {
  }
}

// -----

hopper.kernel @ring_place() source "k" threads 128 shared 1024 tma [] {
  // expected-error @+1 {{'r' has its empty barriers at 1016 to 1032, outside the kernel's 1024 B}}
  hopper.ring "r" depth 2 at 0 slot 256 full 1000 x 1 empty 1016 x 1
}

// -----

hopper.kernel @ring_overlap() source "k" threads 128 shared 4096 tma [] {
  // expected-error @+1 {{'r' has its full barriers in the slots of 'r'}}
  hopper.ring "r" depth 4 at 0 slot 256 full 1016 x 1 empty 1048 x 1
}

// -----

hopper.kernel @ring_arrivals() source "k" threads 128 shared 4096 tma [] {
  // expected-error @+1 {{'r' has a barrier for 0 arrivals}}
  hopper.ring "r" depth 1 at 0 slot 256 full 1024 x 0 empty 1032 x 1
}

// -----

hopper.kernel @barrier_id() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{uses barrier 16; processes have 1 to 15}}
    hopper.sync 16 threads 128
  }
}

// -----

hopper.kernel @barrier_members() source "k" threads 256 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{counts 128 threads at barrier 1, but the processes that use it have 256}}
    hopper.sync 1 threads 128
  }
  hopper.process "q" warps 4 + 4 registers 0 {
    hopper.sync 1 threads 128
  }
}

// -----

hopper.kernel @block_threads(%n: index) source "k" threads 256 shared 0 tma [] {
  // expected-error @+1 {{puts 9 x 256 threads on a multiprocessor; it takes 2048}}
  hopper.grid %n blocks 9
}

// -----

hopper.kernel @block_count(%n: index) source "k" threads 32 shared 0 tma [] {
  // expected-error @+1 {{puts 33 blocks on a multiprocessor; it takes 1 to 32}}
  hopper.grid %n blocks 33
}

// -----

hopper.kernel @block_shared(%n: index) source "k" threads 128 shared 65536 tma [] {
  // expected-error @+1 {{needs 266240 B of shared memory for 4 blocks; a multiprocessor has 233472 B}}
  hopper.grid %n blocks 4
}

// -----

// Each of two blocks has 128 registers for each of its threads.
// expected-error @+1 {{budgets ask for 33792 registers, but the launch allocates 128 x 256 threads = 32768}}
hopper.kernel @block_budget(%n: index) source "k" threads 256 shared 0 tma [] {
  hopper.grid %n blocks 2
  hopper.process "load" warps 0 + 4 registers 24 {
  }
  hopper.process "p" warps 4 + 4 registers 240 {
  }
}

// -----

// Teams are copies of one process that share nothing.
// expected-error @+1 {{has 4 teams a block; that needs `each`, one process, and neither shared memory nor barriers, which would be every team's}}
hopper.kernel @teams(%n: index) source "teams" threads 128 shared 0 tma [] {
  hopper.grid each %n blocks 4 teams 4
  hopper.process "p" warps 0 + 1 registers 0 {
    hopper.sync 1 threads 32
  }
}

// -----

// expected-error @+1 {{divides 96 threads among 4 teams; each needs as many whole warps}}
hopper.kernel @warps(%n: index) source "warps" threads 96 shared 0 tma [] {
  hopper.grid each %n blocks 4 teams 4
  hopper.process "p" warps 0 + 1 registers 0 {
  }
}

// -----

// 32 times these teams are 2^64 threads, which is 0 of 64 bits.
// expected-error @+1 {{divides 128 threads among 576460752303423488 teams; each needs as many whole warps}}
hopper.kernel @many(%n: index) source "many" threads 128 shared 0 tma [] {
  hopper.grid each %n blocks 4 teams 576460752303423488
  hopper.process "p" warps 0 + 1 registers 0 {
  }
}

// -----

hopper.kernel @twice(%a: !tile.view<?xf16>, %p: !tile.ptr<f16>) source "twice" threads 128 shared 0 tma [] {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{makes an argument that another one makes, too}}
  hopper.made_view %a of %p + %c1, [%c1], [%c1] : !tile.view<?xf16>, !tile.ptr<f16>
  hopper.made_view %a of %p + %c1, [%c1], [%c1] : !tile.view<?xf16>, !tile.ptr<f16>
}

// -----

hopper.kernel @other(%a: !tile.view<?xf16>, %p: !tile.ptr<f32>) source "other" threads 128 shared 0 tma [] {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{makes a view of 'f16' of a pointer to 'f32'}}
  hopper.made_view %a of %p + %c1, [%c1], [%c1] : !tile.view<?xf16>, !tile.ptr<f32>
}

// -----

hopper.kernel @itself(%a: !tile.view<?xf16>, %p: !tile.ptr<f16>) source "itself" threads 128 shared 0 tma [] {
  %c1 = arith.constant 1 : index
  %n = tile.dim %a, 0 : !tile.view<?xf16>
  %more = arith.addi %n, %c1 : index
  // expected-error @+1 {{asks for an extent of a view that the launch makes; write the number that this extent is}}
  hopper.made_view %a of %p + %c1, [%more], [%c1] : !tile.view<?xf16>, !tile.ptr<f16>
}

// -----

// The sums of a product are in registers that each thread has from the beginning.
!acc = tensor<64x208xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 26]>>
!left = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!right = !hopper.smem<64x208xf16, order = [0, 1], swizzle = 128>

hopper.kernel @sums() source "k" threads 512 shared 34816 tma [] {
  hopper.process "load" warps 0 + 4 registers 24 {
  }
  hopper.process "mma" warps 4 + 4 registers 160 {
    %a = hopper.buffer "a" at 0 : !left
    %b = hopper.buffer "b" at 8192 : !right
    // expected-error @+1 {{adds to 208 columns, which takes 104 registers of each thread and 26 beside them, but of a launch of 512 threads each has 128; take at most 200 columns, or tiles of fewer rows, which fewer groups multiply}}
    %f = hopper.wgmma %a, %b : !left, !right -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
  }
}
