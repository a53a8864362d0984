// RUN: heddle-opt %s --split-input-file --verify-diagnostics
// What stands where nothing executes it.

hopper.kernel @stray_sync(%n: index) source "k" threads 128 shared 0 tma [] {
  // expected-error @+1 {{'hopper.sync' stands outside of the kernel's processes, where nothing executes it; move it into one}}
  hopper.sync 1 threads 128
  hopper.process "p" warps 0 + 4 registers 0 {
  }
}

// -----

hopper.kernel @stray_wait(%n: index) source "k" threads 128 shared 16 tma [] {
  %c0 = arith.constant 0 : i32
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  // expected-error @+1 {{'hopper.wait' stands outside of the kernel's processes}}
  hopper.wait "r" "full"[%c0] phase %c0
}

// -----

hopper.kernel @nested_wait(%n: index, %c: i1) source "k" threads 128 shared 16 tma [] {
  %c0 = arith.constant 0 : i32
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  // expected-error @+1 {{'scf.if' stands outside of the kernel's processes}}
  scf.if %c {
    hopper.wait "r" "full"[%c0] phase %c0
  }
}

// -----

hopper.kernel @conditional_process(%n: index, %c: i1) source "k" threads 128 shared 0 tma [] {
  scf.if %c {
    // expected-error @+1 {{'hopper.process' stands in a 'scf.if'; it stands in a hopper.kernel only}}
    hopper.process "p" warps 0 + 4 registers 0 {
    }
  }
}

// -----

hopper.kernel @process_in_process(%n: index) source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{'hopper.process' stands in a 'hopper.process'; it stands in a hopper.kernel only}}
    hopper.process "q" warps 0 + 4 registers 0 {
    }
  }
}

// -----

hopper.kernel @ring_in_process(%n: index) source "k" threads 128 shared 16 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{'hopper.ring' stands in a 'hopper.process'; it stands in a hopper.kernel only}}
    hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  }
}

// -----

// expected-error @+1 {{'hopper.sync' stands outside of a hopper.kernel, where nothing executes it}}
hopper.sync 1 threads 128
hopper.kernel @k(%n: index) source "k" threads 128 shared 0 tma [] {
}

// -----

// expected-error @+1 {{'hopper.kernel' has two arguments that are called 'n'}}
hopper.kernel @twice(%n: index, %m: index) source "k" threads 128 shared 0 tma [] attributes {arg_names = ["n", "n"]} {
}

// -----

hopper.kernel @negative_stores() source "k" threads 128 shared 0 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{waits until -1 groups are pending; that is 0 to 63}}
    hopper.tma_store_wait -1
  }
}

// -----

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!a = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!flight = !hopper.flight<!acc>
hopper.kernel @too_many_products() source "k" threads 128 shared 8192 tma [] {
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.buffer "a" at 0 : !a
    %f = hopper.wgmma %a, %a : !a, !a -> !flight
    // expected-error @+1 {{waits until 64 groups are pending; that is 0 to 63}}
    %d = hopper.wgmma_wait %f pending 64 : !flight -> !acc
  }
}

// -----

hopper.kernel @negative_bytes() source "k" threads 128 shared 16 tma [] {
  %c0 = arith.constant 0 : i32
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    // expected-error @+1 {{announces -16 B; a barrier counts 0 to 1048575}}
    hopper.expect "r"[%c0] bytes -16
  }
}

// -----

hopper.kernel @deep() source "k" threads 128 shared 16 tma [] {
  // expected-error @+1 {{'r' has a depth, size or place of 2305843009213693952; a block has 232448 B of shared memory}}
  hopper.ring "r" depth 2305843009213693952 at 0 slot 0 full 0 x 1 empty 8 x 4
}

// -----

hopper.kernel @many_warps() source "k" threads 128 shared 0 tma [] {
  // expected-error @+1 {{'p' has warps 4611686018427387904 to 9223372036854775806 of a block of 4}}
  hopper.process "p" warps 4611686018427387904 + 4611686018427387904 registers 0 {
  }
}

// -----

// LLVM would end the process at it.
// expected-error @+1 {{is called 'a b'; a kernel's name is that of its PTX entry: a letter, then letters, digits, _ and $; or _ or $ and at least one of these}}
hopper.kernel @"a b"() source "k" threads 128 shared 0 tma [] {
}

// -----

// expected-error @+1 {{is called 'k?.entry'; a kernel's name is that of its PTX entry}}
hopper.kernel @"k\0A.entry"() source "k" threads 128 shared 0 tma [] {
}
