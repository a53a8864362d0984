// RUN: split-file %s %t
// RUN: not heddle check %t/trips.mlir > %t.out 2> %t.err; FileCheck %s --check-prefix=TRIPS < %t.err; FileCheck %s --check-prefix=TRACE < %t.out
// RUN: not heddle check %t/data.mlir 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not heddle check %t/nested.mlir 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: heddle check %t/equal.mlir --properties | FileCheck %s --check-prefix=EQUAL

//--- equal.mlir
// One end peels an iteration off, the other does not.
// EQUAL: @equal: proved for every trip count (2 processes, 1 ring,
// EQUAL: ring 'r' of 1 slot: equal turns, phase distance, arrival counts, byte counts, slots held
// EQUAL: kernel: order of accesses, proxy fences, flights waited, named barriers, no deadlock, register pool, places of barriers
hopper.kernel @equal(%a: !tile.view<?x?xf16>) source "equal" threads 160 shared 2064 tma [0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 1 empty 2056 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    %end = scf.for %i = %c0 to %n step %c16 iter_args(%phase = %one) -> (i32) {
      hopper.wait "r" "empty"[%zero] phase %phase
      hopper.expect "r"[%zero] bytes 2048
      %tile = hopper.slot "r"[%zero] at 0 : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
      hopper.tma_load %a[%i, %c0] to %tile, "r"[%zero] : !tile.view<?x?xf16>, !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %points = arith.maxsi %n, %c0 : index
    %trips = arith.ceildivsi %points, %c16 : index
    %any = arith.cmpi sge, %trips, %c1 : index
    scf.if %any {
      hopper.wait "r" "full"[%zero] phase %zero
      %first = hopper.slot "r"[%zero] at 0 : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
      %v = hopper.local_load %first : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128> -> tensor<16x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [1, 4]>>
      hopper.fence_async
      hopper.arrive "r" "empty"[%zero]
      %end = scf.for %i = %c16 to %n step %c16 iter_args(%phase = %one) -> (i32) {
        hopper.wait "r" "full"[%zero] phase %phase
        %tile = hopper.slot "r"[%zero] at 0 : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
        %w = hopper.local_load %tile : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128> -> tensor<16x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [1, 4]>>
        hopper.fence_async
        hopper.arrive "r" "empty"[%zero]
        %next = arith.xori %phase, %one : i32
        scf.yield %next : i32
      }
    }
  }
}

//--- trips.mlir
// The ends count along different axes.
// TRIPS: heddle: error: @differs: no deadlock of ring 'r': process 'use' waits for ever for full of slot 0 of ring 'r', which nobody will arrive at, at {{.*}}trips.mlir:31:7 [protocol-fault]
// TRACE: the loop at {{.*}}trips.mlir:20:12 runs 0 times
// TRACE: the loop at {{.*}}trips.mlir:30:12 runs at least 1 time
// TRACE: with dim(a, 0) = 0
// TRACE: with dim(a, 1) = 256
// TRACE: replay: heddle run --device=emulator --sms 1 --order=adversarial --view a=0x256
hopper.kernel @differs(%a: !tile.view<?x?xf16>) source "differs" threads 160 shared 2064 tma [0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?xf16>
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 2048 full 2048 x 1 empty 2056 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    %end = scf.for %i = %c0 to %n step %c16 iter_args(%phase = %one) -> (i32) {
      hopper.wait "r" "empty"[%zero] phase %phase
      hopper.expect "r"[%zero] bytes 2048
      %tile = hopper.slot "r"[%zero] at 0 : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
      hopper.tma_load %a[%i, %c0] to %tile, "r"[%zero] : !tile.view<?x?xf16>, !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %end = scf.for %i = %c0 to %m step %c64 iter_args(%phase = %zero) -> (i32) {
      hopper.wait "r" "full"[%zero] phase %phase
      hopper.arrive "r" "empty"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
}

//--- data.mlir
// A rounded number from memory decides how often one end goes round.
// DATA: heddle: error: @loaded: not proved, because control flow depends on data, which may decide otherwise for each process; equal turns of ring 'r': in the end empty of slot 0 of ring 'r' does not have a release for each turn, at {{.*}} [protocol-unproved]
hopper.kernel @loaded(%a: !tile.view<?xf32>) source "loaded" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    hopper.wait "r" "empty"[%zero] phase %one
    hopper.arrive "r" "full"[%zero]
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %t = hopper.global_load %a[%c0] : !tile.view<?xf32> -> tensor<1xf32, #hopper.layout<lane = [0, 0, 0, 0, 0], warp = [0, 0], reg = [], tile = [1], rep = [1]>>
    %s = tile.unsplat %t : tensor<1xf32, #hopper.layout<lane = [0, 0, 0, 0, 0], warp = [0, 0], reg = [], tile = [1], rep = [1]>> -> f32
    %whole = arith.fptosi %s : f32 to i32
    %n = arith.index_cast %whole : i32 to index
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %zero) -> (i32) {
      hopper.wait "r" "full"[%zero] phase %phase
      hopper.arrive "r" "empty"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
}

//--- nested.mlir
// A loop over the points that the loop around it has: i = j holds once a tile,
// but one end takes it to hold always.
// NESTED: error: @nest: {{.*}} [protocol-
hopper.kernel @nest(%a: !tile.view<?x?xf16>) source "nest" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%p = %one) -> (i32) {
      %f = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> (i32) {
        %same = arith.cmpi eq, %i, %j : index
        %g = scf.if %same -> (i32) {
          hopper.wait "r" "empty"[%zero] phase %q
          hopper.arrive "r" "full"[%zero]
          %next = arith.xori %q, %one : i32
          scf.yield %next : i32
        } else {
          scf.yield %q : i32
        }
        scf.yield %g : i32
      }
      scf.yield %f : i32
    }
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%p = %zero) -> (i32) {
      %f = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> (i32) {
        hopper.wait "r" "full"[%zero] phase %q
        hopper.arrive "r" "empty"[%zero]
        %next = arith.xori %q, %one : i32
        scf.yield %next : i32
      }
      scf.yield %f : i32
    }
  }
}
