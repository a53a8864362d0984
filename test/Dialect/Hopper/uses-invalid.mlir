// RUN: heddle-opt %s --split-input-file --verify-diagnostics
// What operations need of rings, tiles, views and their process.

hopper.kernel @ring() source "k" threads 128 shared 0 tma [] {
  %i0 = arith.constant 0 : i32
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{names ring 'x', which the kernel does not have}}
    hopper.wait "x" "full"[%i0] phase %i0
  }
}

// -----

hopper.kernel @slot() source "k" threads 128 shared 1024 tma [] {
  %i0 = arith.constant 0 : i32
  %i2 = arith.constant 2 : i32
  hopper.ring "r" depth 2 at 0 slot 256 full 512 x 1 empty 528 x 1
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{uses slot 2 of ring 'r' of depth 2}}
    hopper.wait "r" "full"[%i2] phase %i0
  }
}

// -----

hopper.kernel @phase() source "k" threads 128 shared 1024 tma [] {
  %i0 = arith.constant 0 : i32
  %i2 = arith.constant 2 : i32
  hopper.ring "r" depth 2 at 0 slot 256 full 512 x 1 empty 528 x 1
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{waits for phase 2; a parity is 0 or 1}}
    hopper.wait "r" "full"[%i0] phase %i2
  }
}

// -----

hopper.kernel @side() source "k" threads 128 shared 1024 tma [] {
  %i0 = arith.constant 0 : i32
  hopper.ring "r" depth 2 at 0 slot 256 full 512 x 1 empty 528 x 1
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{names side 'half'; it is full or empty}}
    hopper.arrive "r" "half"[%i0]
  }
}

// -----

hopper.kernel @place() source "k" threads 128 shared 32768 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{places a tile with a swizzle of 128 B at 512, not a multiple of 1024}}
    %b = hopper.buffer "b" at 512 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
  }
}

// -----

hopper.kernel @slot_place() source "k" threads 128 shared 32768 tma [] {
  %i0 = arith.constant 0 : i32
  hopper.ring "r" depth 2 at 0 slot 8704 full 17408 x 1 empty 17424 x 1
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{places a tile with a swizzle of 128 B at 8704, not a multiple of 1024}}
    %b = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
  }
}

// -----

hopper.kernel @slot_size() source "k" threads 128 shared 32768 tma [] {
  %i0 = arith.constant 0 : i32
  hopper.ring "r" depth 1 at 0 slot 8192 full 16384 x 1 empty 16392 x 1
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{places a tile at 1024 to 9216 of a slot of 8192 B}}
    %b = hopper.slot "r"[%i0] at 1024 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
  }
}

// -----

hopper.kernel @tma_list(%a: !tile.view<?x?xf16>) source "k" threads 128 shared 8192 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{needs a view that the kernel lists under tma}}
    hopper.tma_store %b to %a[%c0, %c0] : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>, !tile.view<?x?xf16>
  }
}

// -----

hopper.kernel @tma_order(%a: !tile.view<?x?xf16>) source "k" threads 128 shared 8192 tma [0] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
    // expected-error @+1 {{cannot change the order of axes}}
    hopper.tma_store %b to %a[%c0, %c0] : !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>, !tile.view<?x?xf16>
  }
}

// -----

hopper.kernel @elected() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 elected {
    // expected-error @+1 {{needs all threads of process 'p', which runs on one elected thread}}
    hopper.sync 1 threads 128
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
hopper.kernel @group() source "k" threads 256 shared 16384 tma [] {
  hopper.process "p" warps 0 + 8 registers 0 {
    %a = hopper.buffer "a" at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    %b = hopper.buffer "b" at 8192 : !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>
    // expected-error @+1 {{needs a process on one aligned group of four warps, 'p' has warps 0 + 8}}
    %f = hopper.wgmma %a, %b : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>, !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128> -> !hopper.flight<tensor<64x64xf32, #acc>>
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
hopper.kernel @layout_warps() source "k" threads 64 shared 8192 tma [] {
  hopper.process "p" warps 0 + 2 registers 0 {
    // expected-error @+1 {{has a layout over 4 warps in process 'p' of 2}}
    %a = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  }
}

// -----

// expected-error @+1 {{layout covers 64 of axis 1, the tile's extent is 128}}
func.func private @encoding(tensor<64x128xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>)

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
#far = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 4]>
hopper.kernel @subtile() source "k" threads 128 shared 8192 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    // expected-error @+1 {{needs elements that another thread holds or that lie outside the tile}}
    %b = hopper.subtile %a at [0, 4] : tensor<64x64xf32, #acc> -> tensor<64x32xf32, #far>
  }
}

// -----

hopper.kernel @copy_without_arrival(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{may go on, and no single hopper.arrive after it in its block names it for the slot that it writes}}
    %c = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> i1
    hopper.arrive "r" "full"[%i0]
  }
}

// -----

hopper.kernel @copy_for_another_slot(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{may go on, and no single hopper.arrive after it in its block names it for the slot that it writes}}
    %c = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> i1
    hopper.arrive "r" "full"[%i1] copies %c
  }
}

// -----

hopper.kernel @copy_named_twice(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{may go on, and no single hopper.arrive after it in its block names it for the slot that it writes}}
    %c = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> i1
    hopper.arrive "r" "full"[%i0] copies %c
    hopper.arrive "r" "full"[%i0] copies %c
  }
}

// -----

hopper.kernel @copy_in_a_branch(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{may go on, and no single hopper.arrive after it in its block names it for the slot that it writes}}
    %c = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> i1
    %some = arith.cmpi eq, %i0, %i1 : i32
    scf.if %some {
      hopper.arrive "r" "full"[%i0] copies %c
    }
  }
}

// -----

hopper.kernel @releases_with_copies(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    %c = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> i1
    // expected-error @+1 {{arrives with copies, which publish a slot: on the full side, after nothing else}}
    hopper.arrive "r" "empty"[%i0] copies %c
  }
}

// -----

hopper.kernel @arrives_with_no_copy(%v: !tile.view<?x?xf16>) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    %c = arith.cmpi eq, %i0, %i1 : i32
    // expected-error @+1 {{arrives with a value that no hopper.copy made}}
    hopper.arrive "r" "full"[%i0] copies %c
  }
}
// -----

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @steps(%a: !tile.view<?x?xf16>) source "k" threads 128 shared 16384 tma [0] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %x = hopper.slot "r"[%i0] at 0 : !tile
    // expected-error @+1 {{has 3 steps for a view of 2 axes}}
    hopper.tma_load %a[%c0, %c0] to %x, "r"[%i0] {steps = array<i64: 1, 1, 1>} : !tile.view<?x?xf16>, !tile
  }
}

// -----

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @fastest(%a: !tile.view<?x?xf16>) source "k" threads 128 shared 16384 tma [0] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %x = hopper.slot "r"[%i0] at 0 : !tile
    // expected-error @+1 {{has a step of 2 along axis 1; TMA takes 1 to 8, and 1 along the fastest axis}}
    hopper.tma_load %a[%c0, %c0] to %x, "r"[%i0] {steps = array<i64: 1, 2>} : !tile.view<?x?xf16>, !tile
  }
}

// -----

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @span(%a: !tile.view<?x?xf16>) source "k" threads 128 shared 16384 tma [0] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %x = hopper.slot "r"[%i0] at 0 : !tile
    // expected-error @+1 {{spans 316 elements along axis 0; a TMA box spans at most 256}}
    hopper.tma_load %a[%c0, %c0] to %x, "r"[%i0] {steps = array<i64: 5, 1>} : !tile.view<?x?xf16>, !tile
  }
}

// -----

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @run_of_a_matrix(%a: !tile.view<?x?xf16>) source "k" threads 128 shared 16384 tma [0] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %x = hopper.slot "r"[%i0] at 0 : !tile
    // expected-error @+1 {{has 1 numbers for the pixel axes of '!tile.view<?x?xf16>'; a run is of a view of 3 to 5 axes}}
    hopper.tma_load %a[%c0, %c0] run [%c0] first [%c0] count [%c0] to %x, "r"[%i0] : !tile.view<?x?xf16>, !tile
  }
}

// -----

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @ends(%a: !tile.view<?x?x?xf16>) source "k" threads 128 shared 16384 tma [0] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 1
  hopper.process "p" warps 0 + 4 registers 0 elected {
    %x = hopper.slot "r"[%i0] at 0 : !tile
    %w = tile.worker_id : index
    // expected-error @+1 {{has a run with ends that a host cannot compute}}
    hopper.tma_load %a[%c0, %c0, %c0] run [%c0] first [%c0] count [%w] to %x, "r"[%i0] : !tile.view<?x?x?xf16>, !tile
  }
}

// -----

#rows = #hopper.layout<lane = [0, 0, 0, 0, 0, 0, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [], tile = [16, 1], rep = [4, 1]>
hopper.kernel @rows_at_once(%v: !tile.view<?x?xf16>, %place: i64) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 4 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %r = tile.splat %place : i64 -> tensor<64x1xi64, #rows>
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{takes rows that memory names in another way than in copies of 16 bytes that go on}}
    hopper.copy %v[%c0, %c0] rows %r : tensor<64x1xi64, #rows> to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    hopper.arrive "r" "full"[%i0]
  }
}

// -----

#rows = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [32, 0, 0, 0], reg = [], tile = [64, 1], rep = [1, 1]>
hopper.kernel @rows_of_others(%v: !tile.view<?x?xf16>, %place: i64) source "k" threads 128 shared 16416 tma [] {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  hopper.ring "r" depth 2 at 0 slot 8192 full 16384 x 128 empty 16400 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %r = tile.splat %place : i64 -> tensor<64x1xi64, #rows>
    %a = hopper.slot "r"[%i0] at 0 : !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
    // expected-error @+1 {{needs the places of its rows where the threads that copy them are}}
    %c = hopper.copy %v[%c0, %c0] rows %r : tensor<64x1xi64, #rows> to %a : !tile.view<?x?xf16>, !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128> -> i1
    hopper.arrive "r" "full"[%i0] copies %c
  }
}

// -----

#tile = #hopper.layout<lane = [0, 8, 0, 16, 0, 32, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1, 0, 2, 0, 4], tile = [16, 64], rep = [4, 1]>
#rows = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [32, 0, 0, 0], reg = [], tile = [64, 1], rep = [1, 1]>
hopper.kernel @rows_of_others_to_registers(%v: !tile.view<?x?xf16>, %place: i64) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.process "p" warps 0 + 4 registers 0 {
    %r = tile.splat %place : i64 -> tensor<64x1xi64, #rows>
    // expected-error @+1 {{needs the places of its rows where the threads that read them are}}
    %t = hopper.global_load %v[%c0, %c0] rows %r : tensor<64x1xi64, #rows> : !tile.view<?x?xf16> -> tensor<64x64xf16, #tile>
  }
}
