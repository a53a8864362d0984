// Threads read a slot and do not fence; copies that others let go on fill it, and then TMA
// does. Whoever fences the copies has not fenced these reads.
// RUN: not heddle check %s 2>&1 | FileCheck %s
// RUN: sed 's/^ *hopper.arrive "s" "empty"[[]%z[]] {reader}/hopper.fence_async\nhopper.arrive "s" "empty"[%z]/' %s > %t.mlir
// RUN: heddle check %t.mlir | FileCheck %s --check-prefix=FENCED

// CHECK: error: @copied: order of accesses of ring 's': process 'load' loads by TMA into shared memory (tma_load) while process 'read' reads these bytes at {{.*}}:33:10
// FENCED: @copied: proved for every trip count
!v = !tile.view<?x?xf16>
!tile = !hopper.smem<16x64xf16, order = [1, 0], swizzle = 128>
hopper.kernel @copied(%a: !v) source "copied" threads 416 shared 2112 tma [0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  hopper.grid %c1
  hopper.ring "s" depth 1 at 0 slot 2048 full 2048 x 128 empty 2056 x 8
  hopper.ring "g" depth 1 at 0 slot 0 full 2064 x 4 empty 2072 x 1
  hopper.ring "t" depth 1 at 0 slot 2048 full 2080 x 1 empty 2088 x 4
  hopper.process "copy" warps 0 + 4 registers 0 {
    hopper.wait "s" "empty"[%z] phase %one
    %first = hopper.slot "s"[%z] at 0 : !tile
    %f = hopper.copy %a[%c0, %c0] to %first : !v, !tile -> i1
    hopper.arrive "s" "full"[%z] copies %f
    hopper.wait "s" "empty"[%z] phase %z
    %second = hopper.slot "s"[%z] at 0 : !tile
    %s = hopper.copy %a[%c0, %c0] to %second : !v, !tile -> i1
    hopper.arrive "s" "full"[%z] copies %s
  }
  hopper.process "read" warps 4 + 4 registers 0 {
    hopper.wait "s" "full"[%z] phase %z
    %t = hopper.slot "s"[%z] at 0 : !tile
    %v = hopper.local_load %t : !tile -> tensor<16x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 0, 8, 1, 0, 2, 0], warp = [4, 0, 8, 0], reg = [0, 1], tile = [16, 16], rep = [1, 4]>>
    hopper.arrive "s" "empty"[%z] {reader}
    hopper.wait "s" "full"[%z] phase %one
    hopper.arrive "s" "empty"[%z]
  }
  hopper.process "pass" warps 8 + 4 registers 0 {
    hopper.wait "s" "full"[%z] phase %z
    hopper.arrive "s" "empty"[%z]
    hopper.wait "s" "full"[%z] phase %one
    hopper.wait "g" "empty"[%z] phase %one
    hopper.fence_async
    hopper.arrive "g" "full"[%z]
    hopper.arrive "s" "empty"[%z]
    hopper.wait "t" "full"[%z] phase %z
    hopper.arrive "t" "empty"[%z]
  }
  hopper.process "load" warps 12 + 1 registers 0 elected {
    hopper.wait "g" "full"[%z] phase %z
    hopper.arrive "g" "empty"[%z]
    hopper.wait "t" "empty"[%z] phase %one
    hopper.expect "t"[%z] bytes 2048
    %t = hopper.slot "t"[%z] at 0 : !tile
    hopper.tma_load %a[%c0, %c0] to %t, "t"[%z] : !v, !tile
  }
}
