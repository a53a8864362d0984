// RUN: heddle-opt %s --verify-diagnostics --split-input-file

// expected-error@below {{needs 300000 B of shared memory, sm_90a has 232448 B}}
hopper.kernel @k(%n: index) source "k" threads 128 shared 300000 tma [] {
}

// -----

// expected-error@below {{needs whole warps, at most 1024 threads, has 2048 threads}}
hopper.kernel @k(%n: index) source "k" threads 2048 shared 0 tma [] {
}

// -----

hopper.kernel @k(%n: index) source "k" threads 256 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
  }
  // expected-error@below {{'b' shares warp 3 with 'a'}}
  hopper.process "b" warps 3 + 4 registers 0 {
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 0 tma [] {
  // expected-error@below {{'a' has a budget of 100 registers; it must be a multiple of 8 from 24 to 256}}
  hopper.process "a" warps 0 + 4 registers 100 {
  }
}

// -----

// 384 threads get 168 registers each: the budgets would wait for ever.
// expected-error@below {{budgets ask for 65536 registers, but the launch allocates 168 x 384 threads = 64512}}
hopper.kernel @k(%n: index) source "k" threads 384 shared 0 tma [] {
  hopper.process "a" warps 0 + 4 registers 128 {
  }
  hopper.process "b" warps 4 + 4 registers 192 {
  }
  hopper.process "c" warps 8 + 4 registers 192 {
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  // expected-error@below {{'r' has its slots at 0 to 8192, outside the kernel's 4096}}
  hopper.ring "r" depth 4 at 0 slot 2048 full 4000 x 1 empty 4032 x 1
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  // expected-error@below {{'r' has its full barriers in the slots of 'r'}}
  hopper.ring "r" depth 1 at 0 slot 2048 full 1024 x 1 empty 4032 x 1
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    // expected-error@below {{uses barrier 16; processes have 1 to 15}}
    hopper.sync 16 threads 128
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    // expected-error@below {{counts 256 threads at barrier 1, but the processes that use it have 128}}
    hopper.sync 1 threads 256
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    // expected-error@below {{names ring 'r', which the kernel does not have}}
    hopper.wait "r" "full"[%c0] phase %c0
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.ring "r" depth 2 at 0 slot 1024 full 2048 x 1 empty 2064 x 1
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    // expected-error@below {{uses slot 2 of ring 'r' of depth 2}}
    hopper.wait "r" "full"[%c2] phase %c0
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.ring "r" depth 2 at 0 slot 1024 full 2048 x 1 empty 2064 x 1
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    // expected-error@below {{names side 'half'; it is full or empty}}
    hopper.wait "r" "half"[%c0] phase %c0
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 elected {
    // expected-error@below {{needs all threads of process 'a', which runs on one elected thread}}
    hopper.sync 1 threads 128
  }
}

// -----

hopper.kernel @k(%n: index) source "k" threads 128 shared 32768 tma [] {
  // expected-error@below {{places a tile with a swizzle of 128 B at 512, not a multiple of 1024}}
  %b = hopper.buffer "b" at 512 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
}

// -----

!acc = tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!half = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!right = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>

// The slot goes back while the wgmma still reads it.
hopper.kernel @k(%n: index) source "k" threads 128 shared 32768 tma [] {
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    %f = hopper.wgmma %x, %y : !half, !right -> !hopper.flight<!acc>
    // expected-error@below {{releases a slot of 'r', which a hopper.wgmma reads, without naming the value of the wait that retires it}}
    hopper.arrive "r" "empty"[%c0]
    %v = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
  }
}

// -----

!acc = tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!half = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!right = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>

hopper.kernel @k(%n: index) source "k" threads 128 shared 32768 tma [] {
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    %f = hopper.wgmma %x, %y : !half, !right -> !hopper.flight<!acc>
    // expected-error@below {{leaves its own flight in flight: pending 1, but at most 0 groups were committed after it}}
    %v = hopper.wgmma_wait %f pending 1 : !hopper.flight<!acc> -> !acc
    hopper.arrive "r" "empty"[%c0] after %v : !acc
  }
}

// -----

!acc = tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!half = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!right = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>

// The value waited for is gone: the next wgmma adds to its registers.
hopper.kernel @k(%n: index) source "k" threads 128 shared 32768 tma [] {
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    %f = hopper.wgmma %x, %y : !half, !right -> !hopper.flight<!acc>
    %g = hopper.wgmma %x, %y, %f : !hopper.flight<!acc> : !half, !right -> !hopper.flight<!acc>
    // expected-error@below {{gives a value that is read, but a later hopper.wgmma already accumulates into these registers}}
    %v = hopper.wgmma_wait %f pending 1 : !hopper.flight<!acc> -> !acc
    %w = arith.addf %v, %v : !acc
    %u = hopper.wgmma_wait %g pending 0 : !hopper.flight<!acc> -> !acc
  }
}

// -----

!acc = tensor<64x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>

// Threads wrote the tile; the copy engine reads it without a fence.
hopper.kernel @k(%c: !tile.view<?x?xf16>, %f: f16) source "k" threads 128 shared 8192 tma [0] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %i = arith.constant 0 : index
    %v = tile.splat %f : f16 -> !acc
    %b = hopper.buffer "b" at 0 : !tile
    hopper.local_store %v, %b : !acc, !tile
    hopper.sync 1 threads 128
    // expected-error@below {{through the async proxy, but the threads that wrote it have no fence}}
    hopper.tma_store %b to %c[%i, %i] : !tile, !tile.view<?x?xf16>
    hopper.tma_store_wait 0
  }
}

// -----

!acc = tensor<64x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>

// The second store's writes race with the first store's reads.
hopper.kernel @k(%c: !tile.view<?x?xf16>, %f: f16) source "k" threads 128 shared 8192 tma [0] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %i = arith.constant 0 : index
    %v = tile.splat %f : f16 -> !acc
    %b = hopper.buffer "b" at 0 : !tile
    hopper.local_store %v, %b : !acc, !tile
    hopper.fence_async
    hopper.sync 1 threads 128
    hopper.tma_store %b to %c[%i, %i] : !tile, !tile.view<?x?xf16>
    // expected-error@below {{which a hopper.tma_store may still read; put hopper.tma_store_wait and then hopper.sync before it}}
    hopper.local_store %v, %b : !acc, !tile
    hopper.tma_store_wait 0
  }
}

// -----

hopper.kernel @extents(%p: !tile.ptr<f32>, %v: !tile.view<?x?xf32>, %n: index) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'hopper.made_view' has 1 extents and 2 strides for 2 axes [hopper-kernel]}}
  hopper.made_view %v of %p + %c0, [%n], [%n, %n] : !tile.view<?x?xf32>, !tile.ptr<f32>
}

// -----

hopper.kernel @unknown(%p: !tile.ptr<f32>, %v: !tile.view<?xf32>, %n: index) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  %id = tile.worker_id : index
  // expected-error @+1 {{'hopper.made_view' has numbers that a host cannot compute: only extents, scalar arguments, constants, +, -, *, divisions, min and max [grid-rule]}}
  hopper.made_view %v of %p + %c0, [%id], [%n] : !tile.view<?xf32>, !tile.ptr<f32>
}

// -----

hopper.kernel @far(%p: !tile.ptr<f16>, %v: !tile.view<?x?x?xf16>, %n: index) source "k" threads 128 shared 8192 tma [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'hopper.made_view' has far axis 0, along which TMA accesses multiples of 2^30 only [hopper-kernel]}}
  hopper.made_view %v of %p + %c0, [%n, %n, %n], [%n, %n, %c1] {far_axis = 0 : i64} : !tile.view<?x?x?xf16>, !tile.ptr<f16>
  hopper.ring "a" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "load" warps 0 + 4 registers 24 {
    %slot = arith.constant 0 : i32
    %t = hopper.slot "a"[%slot] at 0 : !hopper.smem<1x64x64xf16, order = [2, 1, 0], swizzle = 128>
    hopper.tma_load %v[%c1, %c0, %c0] to %t, "a"[%slot] : !tile.view<?x?x?xf16>, !hopper.smem<1x64x64xf16, order = [2, 1, 0], swizzle = 128>
  }
}

// -----

// A thread would hold 2^70 registers.
// expected-error @+1 {{warp and reg hold at most 20 vectors, not 70}}
func.func private @registers() -> tensor<32xf32, #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], tile = [32], rep = [1]>>

// -----

// expected-error @+1 {{a layout covers at most 1048576 elements, and a thread holds no more}}
func.func private @held() -> tensor<1024xf32, #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [], reg = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], tile = [32], rep = [32]>>
