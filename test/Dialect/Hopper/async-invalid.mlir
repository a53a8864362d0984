// RUN: heddle-opt %s --split-input-file --verify-diagnostics
// Waits, fences and flights along the paths of a process.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @wait_too_weak() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    // expected-error @+1 {{leaves its own flight in flight: pending 1, but at most 0 groups were committed after it}}
    %d = hopper.wgmma_wait %f pending 1 : !flight -> !acc
  }
}

// -----

// The second iteration waits for a flight of the first, but the first for none.
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @wait_in_loop(%n: index) source "k" threads 128 shared 16384 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f0 = hopper.wgmma %a, %b : !a, !b -> !flight
    %g0 = hopper.wgmma %a, %b : !a, !b -> !flight
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0, %g = %g0) -> (!flight, !flight) {
      // expected-error @+1 {{pending 1, but at most 0 groups were committed after it}}
      %d = hopper.wgmma_wait %f pending 1 : !flight -> !acc
      %h = hopper.wgmma %a, %b : !a, !b -> !flight
      scf.yield %h, %g : !flight, !flight
    }
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @read_overwritten() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    %g = hopper.wgmma %a, %b, %f : !flight : !a, !b -> !flight
    // expected-error @+1 {{gives a value that is read, but a later hopper.wgmma already accumulates}}
    %d = hopper.wgmma_wait %f pending 1 : !flight -> !acc
    %e = arith.addf %d, %d : !acc
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @early_release() source "k" threads 128 shared 16400 tma [] {
  %i0 = arith.constant 0 : i32
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    %b = hopper.slot "r"[%i0] at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    // expected-error @+1 {{releases a slot of 'r', which a hopper.wgmma reads, without naming the value of the wait that retires it}}
    hopper.arrive "r" "empty"[%i0]
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!c = !tile.view<?x?xf16>
hopper.kernel @no_fence(%c: !c) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    hopper.local_store %t, %a : !t, !a
    hopper.sync 1 threads 128
    // expected-error @+1 {{reads shared memory at 0 through the async proxy, but the threads that wrote it have no fence since}}
    hopper.tma_store %a to %c[%c0, %c0] : !a, !c
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!c = !tile.view<?x?xf16>
hopper.kernel @no_sync(%c: !c) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    hopper.local_store %t, %a : !t, !a
    hopper.fence_async
    // expected-error @+1 {{but the threads that wrote it have not met since}}
    hopper.tma_store %a to %c[%c0, %c0] : !a, !c
  }
}

// -----

// Only the loop's second turn overwrites what TMA still reads.
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!c = !tile.view<?x?xf16>
hopper.kernel @overwrites_store(%c: !c, %n: index) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    scf.for %i = %c0 to %n step %c1 {
      hopper.tma_store_wait 1
      hopper.sync 1 threads 128
      // expected-error @+1 {{writes shared memory at 0, which a hopper.tma_store may still read}}
      hopper.local_store %t, %a : !t, !a
      hopper.fence_async
      hopper.sync 1 threads 128
      hopper.tma_store %a to %c[%c0, %c0] : !a, !c
    }
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!c = !tile.view<?x?xf16>
hopper.kernel @others_not_told(%c: !c) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    hopper.tma_store %a to %c[%c0, %c0] : !a, !c
    hopper.tma_store_wait 0
    // expected-error @+1 {{but only the first thread knows that the hopper.tma_store has read it}}
    hopper.local_store %t, %a : !t, !a
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!t = tensor<64x64xf16, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @load_unmet() source "k" threads 128 shared 8192 tma [] {
  %t = arith.constant dense<0.0> : !t
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    hopper.local_store %t, %a : !t, !a
    // expected-error @+1 {{loads shared memory at 0, which other threads may still write}}
    %u = hopper.local_load %a : !a -> !t
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!v = !tile.view<?x?xf16>
hopper.kernel @publish_unfenced(%v: !v) source "k" threads 256 shared 16400 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 4 empty 16392 x 4
  hopper.process "load" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    hopper.copy %v[%c0, %c0] to %a : !v, !a
    // expected-error @+1 {{publishes ring 'r' at 0, which is read through the async proxy, but the threads that wrote it have no hopper.fence_async since}}
    hopper.arrive "r" "full"[%i0]
  }
  hopper.process "use" warps 4 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    %b = hopper.slot "r"[%i0] at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    hopper.arrive "r" "empty"[%i0] after %d : !acc
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#row = #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 0], reg = [], tile = [64], rep = [1]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!row = !hopper.smem<64xf32, order = [0], swizzle = 0>
!v = !tile.view<?x?xf16>
!r = !tile.view<?xf32>
// What threads alone read of a slot needs no fence, though a product reads the rest.
hopper.kernel @row_beside_operands(%v: !v, %r: !r) source "k" threads 256 shared 17424 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 17408 full 17408 x 4 empty 17416 x 4
  hopper.process "load" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    hopper.copy %v[%c0, %c0] to %a : !v, !a
    %b = hopper.slot "r"[%i0] at 8192 : !b
    hopper.copy %v[%c0, %c0] to %b : !v, !b
    hopper.fence_async
    %row = hopper.slot "r"[%i0] at 16384 : !row
    hopper.copy %r[%c0] to %row : !r, !row
    hopper.arrive "r" "full"[%i0]
  }
  hopper.process "use" warps 4 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !a
    %b = hopper.slot "r"[%i0] at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    %row = hopper.slot "r"[%i0] at 16384 : !row
    %u = hopper.local_load %row : !row -> tensor<64xf32, #row>
    hopper.arrive "r" "empty"[%i0] after %d : !acc
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!both = !hopper.smem<128x64xf16, order = [1, 0], swizzle = 128>
!v = !tile.view<?x?xf16>
// The product reads the second half of what is written at 0.
hopper.kernel @half_unfenced(%v: !v) source "k" threads 256 shared 24592 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 24576 full 24576 x 4 empty 24584 x 4
  hopper.process "load" warps 0 + 4 registers 0 {
    %b = hopper.slot "r"[%i0] at 16384 : !b
    hopper.copy %v[%c0, %c0] to %b : !v, !b
    hopper.fence_async
    %a = hopper.slot "r"[%i0] at 0 : !both
    hopper.copy %v[%c0, %c0] to %a : !v, !both
    // expected-error @+1 {{publishes ring 'r' at 0, which is read through the async proxy, but the threads that wrote it have no hopper.fence_async since}}
    hopper.arrive "r" "full"[%i0]
  }
  hopper.process "use" warps 4 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 8192 : !a
    %b = hopper.slot "r"[%i0] at 16384 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !hopper.flight<!acc>
    %d = hopper.wgmma_wait %f pending 0 : !hopper.flight<!acc> -> !acc
    hopper.arrive "r" "empty"[%i0] after %d : !acc
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @accumulated_twice() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    %g = hopper.wgmma %a, %b, %f : !flight : !a, !b -> !flight
    // expected-error @+1 {{accumulates into registers that are another's by now}}
    %h = hopper.wgmma %a, %b, %f : !flight : !a, !b -> !flight
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @accumulated_after_read() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    %d = hopper.wgmma_wait %f pending 0 : !flight -> !acc
    %e = arith.addf %d, %d : !acc
    // expected-error @+1 {{accumulates into registers that are another's by now}}
    %g = hopper.wgmma %a, %b, %f : !flight : !a, !b -> !flight
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!b = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @read_twice() source "k" threads 128 shared 16384 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %b = hopper.buffer "b" at 8192 : !b
    %f = hopper.wgmma %a, %b : !a, !b -> !flight
    %d = hopper.wgmma_wait %f pending 0 : !flight -> !acc
    %e = arith.addf %d, %d : !acc
    // expected-error @+1 {{gives a value that is read, but an earlier hopper.wgmma_wait gave it already}}
    %g = hopper.wgmma_wait %f pending 0 : !flight -> !acc
    %h = arith.addf %g, %g : !acc
  }
}
