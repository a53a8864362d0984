// RUN: heddle-opt %s --hopper-to-nvvm | FileCheck %s

// One thread that waits for a quotient asks first whether it is 0, or a shift; a
// quotient and the remainder beside it are asked for once. A process of many threads
// divides, and so does everybody by a constant; and one thread does where quotients
// do not wait for each other, or in every iteration.

// CHECK: llvm.func @k(
// CHECK: elect.sync
// CHECK: llvm.icmp "ult"
// CHECK: llvm.udiv %{{.*}}, %[[BY:.*]] : i32
// CHECK-NOT: llvm.urem
// CHECK-NOT: llvm.icmp "ult"
// CHECK: llvm.mul %{{.*}}, %[[BY]]
// CHECK: llvm.udiv
// CHECK: cp.async.bulk.tensor
// CHECK: llvm.urem
// CHECK: llvm.udiv
// CHECK: mbarrier.try_wait

!tile = !hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>

hopper.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) source "k" threads 256 shared 8208 tma [0] {
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?xf16>
  %w = tile.worker_id : index
  hopper.grid %n
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 4
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : index
    %r = arith.remui %w, %m : index
    %q = arith.divui %w, %m : index
    %t = arith.divui %q, %c3 : index
    hopper.wait "r" "empty"[%c0] phase %c1
    hopper.expect "r"[%c0] bytes 8192
    %x = hopper.slot "r"[%c0] at 0 : !tile
    hopper.tma_load %a[%r, %t] to %x, "r"[%c0] : !tile.view<?x?xf16>, !tile
  }
  hopper.process "use" warps 4 + 4 registers 200 {
    %c0 = arith.constant 0 : i32
    %r = arith.remui %w, %m : index
    %q = arith.divui %w, %m : index
    hopper.wait "r" "full"[%c0] phase %c0
    %x = hopper.slot "r"[%c0] at 0 : !tile
    %v = hopper.local_load %x : !tile -> tensor<64x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
    hopper.arrive "r" "empty"[%c0]
    %f = arith.extf %v : tensor<64x64xf16, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>> to tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>
    hopper.global_store %f, %c[%r, %q] : tensor<64x64xf32, #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [64, 8], rep = [1, 8]>>, !tile.view<?x?xf32>
  }
}

// CHECK-LABEL: llvm.func @side_by_side(
// CHECK: elect.sync
// CHECK-NOT: llvm.icmp "ult"
// CHECK: llvm.udiv
// CHECK: llvm.udiv
// CHECK: cp.async.bulk.tensor
hopper.kernel @side_by_side(%a: !tile.view<?x?xf16>) source "k" threads 256 shared 8208 tma [0] {
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?xf16>
  %w = tile.worker_id : index
  hopper.grid %n
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 4
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = arith.divui %w, %m : index
    %q = arith.divui %w, %n : index
    hopper.wait "r" "empty"[%c0] phase %c1
    hopper.expect "r"[%c0] bytes 8192
    %x = hopper.slot "r"[%c0] at 0 : !tile
    hopper.tma_load %a[%p, %q] to %x, "r"[%c0] : !tile.view<?x?xf16>, !tile
  }
  hopper.process "use" warps 4 + 4 registers 200 {
    %c0 = arith.constant 0 : i32
    hopper.wait "r" "full"[%c0] phase %c0
    hopper.arrive "r" "empty"[%c0]
  }
}

// CHECK-LABEL: llvm.func @in_every_iteration(
// CHECK: elect.sync
// CHECK-NOT: llvm.icmp "ult"
// CHECK: llvm.udiv
// CHECK: cp.async.bulk.tensor
hopper.kernel @in_every_iteration(%a: !tile.view<?x?xf16>) source "k" threads 256 shared 8208 tma [0] {
  %n = tile.dim %a, 0 : !tile.view<?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?xf16>
  hopper.grid %n
  hopper.ring "r" depth 1 at 0 slot 8192 full 8192 x 1 empty 8200 x 4
  hopper.process "load" warps 0 + 4 registers 40 elected {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.for %i = %z to %one step %one {
      scf.for %j = %z to %one step %one {
        %p = arith.divui %j, %m : index
        hopper.wait "r" "empty"[%c0] phase %c1
        hopper.expect "r"[%c0] bytes 8192
        %x = hopper.slot "r"[%c0] at 0 : !tile
        hopper.tma_load %a[%p, %i] to %x, "r"[%c0] : !tile.view<?x?xf16>, !tile
      }
    }
  }
  hopper.process "use" warps 4 + 4 registers 200 {
    %c0 = arith.constant 0 : i32
    hopper.wait "r" "full"[%c0] phase %c0
    hopper.arrive "r" "empty"[%c0]
  }
}
