// RUN: heddle compile --check-protocol=false %s -o - | FileCheck %s
// Which arrivals and waits for products can do without an instruction of their own.

#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>
!acc = tensor<64x64xf32, #acc>
!flight = !hopper.flight<!acc>
!half = tensor<64x64xf16, #acc>
!s = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!v = !tile.view<?x?xf32>
// CHECK-LABEL: .entry needed(
hopper.kernel @needed(%c: !v) source "needed" threads 128 shared 16400 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %c, 0 : !v
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 8192 full 16384 x 1 empty 16392 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%zero] at 0 : !s
    %b = hopper.buffer "b" at 8192 : !s

    // Lanes may still stand at the wait.
    // CHECK: mbarrier.try_wait
    // CHECK: bar.warp.sync
    // CHECK: mbarrier.arrive.shared
    hopper.wait "r" "full"[%zero] phase %zero
    hopper.arrive "r" "empty"[%zero] after %zero : i32
    // The product holds them until all have come.
    // CHECK: mbarrier.try_wait
    // CHECK: wgmma.wait_group.sync.aligned 0;
    // CHECK-NOT: bar.warp.sync
    // CHECK: mbarrier.arrive.shared
    hopper.wait "r" "full"[%zero] phase %one
    %f = hopper.wgmma %a, %b : !s, !s -> !flight
    %g = hopper.wgmma %a, %b : !s, !s -> !flight
    %x = hopper.wgmma_wait %f pending 0 : !flight -> !acc
    hopper.arrive "r" "empty"[%zero] after %x : !acc
    // %g has landed with %f. A meeting is due behind the load of each lane.
    // CHECK-NOT: wgmma.wait_group
    // CHECK: ldmatrix
    // CHECK: bar.warp.sync
    // CHECK: mbarrier.arrive.shared
    %y = hopper.wgmma_wait %g pending 0 : !flight -> !acc
    %h = hopper.local_load %a : !s -> !half
    hopper.arrive "r" "empty"[%zero] after %y : !acc
    %wide = arith.extf %h : !half to !acc
    %z = arith.addf %x, %y : !acc
    %sum = arith.addf %z, %wide : !acc
    // CHECK: st.global
    hopper.global_store %sum, %c[%c0, %c0] : !acc, !v
    // The second time round, lanes come from the store; the first time from
    // the meeting before.
    // CHECK: wgmma.wait_group.sync.aligned 0;
    // CHECK: bar.warp.sync
    // CHECK: mbarrier.arrive.shared
    scf.for %i = %c0 to %n step %c1 {
      %k = hopper.wgmma %a, %b : !s, !s -> !flight
      %w = hopper.wgmma_wait %k pending 0 : !flight -> !acc
      hopper.arrive "r" "empty"[%zero] after %w : !acc
      hopper.global_store %w, %c[%i, %c0] : !acc, !v
    }
    // CHECK: ret;
  }
}

// Lanes that arrive each for their own copies meet nobody by that; who arrives for all of
// them after that has to.
// CHECK-LABEL: .entry apart(
// CHECK: mbarrier.arrive.noinc
// CHECK: bar.warp.sync
// CHECK: mbarrier.arrive.shared
hopper.kernel @apart(%v: !tile.view<?x?xf16>) source "apart" threads 128 shared 16400 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 8192 full 16384 x 132 empty 16392 x 4
  hopper.process "p" warps 0 + 4 registers 0 {
    %a = hopper.slot "r"[%zero] at 0 : !s
    %goes = hopper.copy %v[%c0, %c0] to %a : !tile.view<?x?xf16>, !s -> i1
    hopper.arrive "r" "full"[%zero] copies %goes
    hopper.arrive "r" "full"[%zero]
  }
}
