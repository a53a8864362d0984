// Threads read a slot, and their loads may be under way when they give it back: TMA writes it
// again behind a proxy fence only.
// RUN: not heddle check %s 2>&1 | FileCheck %s
// RUN: sed 's/^ *hopper.arrive "r" "empty"/hopper.fence_async\n&/' %s > %t.mlir
// RUN: heddle check %t.mlir | FileCheck %s --check-prefix=FENCED

// CHECK: error: @equal: proxy fences of ring 'r': process 'load' loads by TMA into slot 0 of ring 'r' (bytes 0 to 2048) through the async proxy (tma_load), but the threads that read it before at {{.*}} have no fence_async in between
// FENCED: @equal: proved for every trip count
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
      hopper.arrive "r" "empty"[%zero]
      %end = scf.for %i = %c16 to %n step %c16 iter_args(%phase = %one) -> (i32) {
        hopper.wait "r" "full"[%zero] phase %phase
        %tile = hopper.slot "r"[%zero] at 0 : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
        %w = hopper.local_load %tile : !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128> -> tensor<16x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [1, 4]>>
        hopper.arrive "r" "empty"[%zero]
        %next = arith.xori %phase, %one : i32
        scf.yield %next : i32
      }
    }
  }
}

