// RUN: heddle-opt %s --hopper-stamp | FileCheck %s
// A stamp where a process begins to do something else, numbered over the kernel.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!flight = !hopper.flight<!acc>
!s = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!v = !tile.view<?x?xf16>
module attributes {heddle.trace = "all"} {
  // CHECK: hopper.kernel @k(%a: !tile.view<?x?xf16>, %trace: !tile.view<8193xi32>)
  hopper.kernel @k(%a: !v) source "k" threads 256 shared 24592 tma [0] {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = tile.dim %a, 0 : !v
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    hopper.grid %c1
    hopper.ring "r" depth 1 at 0 slot 8192 full 24576 x 1 empty 24584 x 4
    // CHECK: process "load"
    hopper.process "load" warps 0 + 4 registers 0 elected {
      %t = hopper.slot "r"[%zero] at 0 : !s
      scf.for %i = %c0 to %n step %c1 {
        // CHECK: scf.for
        // CHECK-NEXT: hopper.stamp %trace[0] "acquire" ["r"]
        // CHECK-NEXT: hopper.wait
        hopper.wait "r" "empty"[%zero] phase %one
        // What announces a load is part of issuing it.
        // CHECK-NEXT: hopper.expect
        // CHECK-NEXT: hopper.stamp %trace[1] "issue" ["load"]
        hopper.expect "r"[%zero] bytes 8192
        hopper.tma_load %a[%c0, %c0] to %t, "r"[%zero] {sched.op = "load"} : !v, !s
      }
      // CHECK: hopper.stamp %trace[2] "end" []
    }
    // CHECK: process "mma"
    hopper.process "mma" warps 4 + 4 registers 0 {
      // CHECK: hopper.stamp %trace[3] "get" ["r"]
      hopper.wait "r" "full"[%zero] phase %zero
      %x = hopper.slot "r"[%zero] at 0 : !s
      %y = hopper.buffer "y" at 8192 : !s
      // CHECK: hopper.stamp %trace[4] "issue" ["dot"]
      // CHECK-NEXT: hopper.wgmma
      %f = hopper.wgmma %x, %y {sched.op = "dot"} : !s, !s -> !flight
      // CHECK: hopper.stamp %trace[5] "await" ["dot"]
      // CHECK-NEXT: hopper.wgmma_wait
      // CHECK-NEXT: hopper.stamp %trace[6] "work" ["exp", "sum"]
      // CHECK-NEXT: hopper.arrive
      %d = hopper.wgmma_wait %f pending 0 : !flight -> !acc
      hopper.arrive "r" "empty"[%zero] after %d : !acc
      // One stretch, however many operations it has.
      // CHECK-NOT: hopper.stamp
      %e = math.exp2 %d {sched.op = "exp"} : !acc
      // CHECK: arith.addf
      %g = arith.addf %e, %d {sched.op = "sum"} : !acc
      // CHECK-NEXT: hopper.stamp %trace[7] "end" []
    }
  }
}
