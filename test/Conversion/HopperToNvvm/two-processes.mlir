// RUN: heddle-opt %s --hopper-to-nvvm | FileCheck %s

// One barrier pair, initialised once; a process that only issues runs on one
// elected thread; waits are loops; four k16 steps a dot, the first from zero; one
// arrival a warp. A launch of 256 threads gives each as many registers as it can
// have, so nobody changes that; of two blocks that share a multiprocessor the products
// take more.
// RUN: sed -e 's/hopper.grid %%n/& blocks 2/' %s | heddle-opt --hopper-to-nvvm | FileCheck %s --check-prefix=MORE

// CHECK: llvm.func @k(
// CHECK-DAG: mbarrier.init
// CHECK-DAG: fence.mbarrier.init
// CHECK-NOT: setmaxregister
// CHECK: elect.sync
// CHECK: mbarrier.try_wait
// CHECK: mbarrier.arrive.expect_tx
// CHECK-COUNT-2: cp.async.bulk.tensor
// CHECK: mbarrier.try_wait
// CHECK: wgmma.fence
// CHECK-COUNT-4: wgmma.mma_async
// CHECK: wgmma.commit_group
// CHECK: wgmma.fence
// CHECK-COUNT-4: wgmma.mma_async
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group
// CHECK: mbarrier.arrive
// CHECK: st.global
// CHECK-NOT: setmaxregister

// MORE: setmaxregister decrease 40
// MORE: elect.sync
// MORE: setmaxregister increase 200

!acc = tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
!half = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>
!right = !hopper.smem<64x64xf16, order = [0, 1], swizzle = 128>

hopper.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf32>) source "k" threads 256 shared 16416 tma [0, 1] {
  %i = arith.constant 0 : index
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  hopper.grid %n
  hopper.ring "r" depth 1 at 0 slot 16384 full 16384 x 1 empty 16392 x 4
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    hopper.wait "r" "empty"[%c0] phase %c1
    hopper.expect "r"[%c0] bytes 16384
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    hopper.tma_load %a[%i, %i] to %x, "r"[%c0] : !tile.view<?x?xf16>, !half
    hopper.tma_load %b[%i, %i] to %y, "r"[%c0] : !tile.view<?x?xf16, #tile.order<0, 1>>, !right
  }
  hopper.process "mma" warps 4 + 4 registers 200 {
    %c0 = arith.constant 0 : i32
    hopper.wait "r" "full"[%c0] phase %c0
    %x = hopper.slot "r"[%c0] at 0 : !half
    %y = hopper.slot "r"[%c0] at 8192 : !right
    %f = hopper.wgmma %x, %y : !half, !right -> !hopper.flight<!acc>
    %g = hopper.wgmma %x, %y, %f : !hopper.flight<!acc> : !half, !right -> !hopper.flight<!acc>
    %v = hopper.wgmma_wait %g pending 0 : !hopper.flight<!acc> -> !acc
    hopper.arrive "r" "empty"[%c0] after %v : !acc
    hopper.global_store %v, %c[%i, %i] : !acc, !tile.view<?x?xf32>
  }
}
