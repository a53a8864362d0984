// RUN: heddle-opt %s --hopper-to-nvvm --split-input-file | FileCheck %s
//
// Processes that do the same with other numbers, of which the plan calls one a replica of
// the other, have one code: other slots of other rings, barriers and parities, and sums
// that are computed in another order.

// The number of the replica, the warp and the thread in it, and where its
// barriers are.
// CHECK-LABEL: llvm.func @slots
// CHECK-COUNT-3: nvvm.mbarrier.arrive
// CHECK: llvm.sub
// CHECK: %[[FIRST:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
// CHECK: %[[NUMBER:.*]] = llvm.udiv %[[FIRST]], %{{.*}} : i32
// CHECK: %[[APART:.*]] = llvm.mlir.constant(32 : i32) : i32
// CHECK: %[[BYTES:.*]] = llvm.mul %[[NUMBER]], %[[APART]] : i32
// CHECK: nvvm.mbarrier.try_wait
// CHECK: llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK: nvvm.mbarrier.arrive
// CHECK-NOT: nvvm.mbarrier
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK: %[[BARRIER:.*]] = llvm.add %[[NUMBER]], %[[TWO]] : i32
// CHECK: barrier.cta.sync.aligned.count"(%[[BARRIER]],
hopper.kernel @slots(%n: index) source "k" threads 512 shared 128 tma [] {
  hopper.ring "x" depth 2 at 0 slot 0 full 0 x 4 empty 16 x 4
  hopper.ring "y" depth 2 at 0 slot 0 full 32 x 4 empty 48 x 4
  hopper.ring "z" depth 2 at 0 slot 0 full 64 x 4 empty 80 x 4
  hopper.grid %n
  hopper.process "load" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    hopper.arrive "x" "full"[%c0]
    hopper.arrive "y" "full"[%c0]
    hopper.arrive "z" "full"[%c0]
    hopper.sync 1 threads 128
  }
  hopper.process "a" warps 4 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    hopper.wait "x" "full"[%c0] phase %c0
    hopper.arrive "x" "empty"[%c0]
    hopper.sync 2 threads 128
  }
  hopper.process "b" warps 8 + 4 registers 0 attributes {replica_of = "a"} {
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %c0_again = arith.constant 0 : i32
    hopper.wait "y" "full"[%c0] phase %c0_again
    hopper.arrive "y" "empty"[%c0]
    hopper.sync 3 threads 128
  }
  hopper.process "c" warps 12 + 4 registers 0 attributes {replica_of = "a"} {
    %c0 = arith.constant 0 : i32
    hopper.wait "z" "full"[%c0] phase %c0
    hopper.arrive "z" "empty"[%c0]
    hopper.sync 4 threads 128
  }
}

// -----

// Numbers that do not grow evenly are chosen. One thread runs each of these.
// CHECK-LABEL: llvm.func @chosen
// CHECK: %[[NUMBER:.*]] = llvm.udiv
// CHECK: %[[WARP:.*]] = llvm.add
// CHECK: %[[WARP:.*]] = llvm.add
// CHECK: llvm.icmp "eq" %[[WARP]],
// CHECK: nvvm.elect.sync
// CHECK: %[[SECOND:.*]] = llvm.icmp "eq" %[[NUMBER]], %{{.*}} : i32
// CHECK: %[[BYTES:.*]] = llvm.select %[[SECOND]],
// CHECK: %[[THIRD:.*]] = llvm.icmp "eq" %[[NUMBER]], %{{.*}} : i32
// CHECK: llvm.select %[[THIRD]], %{{.*}}, %[[BYTES]]
// CHECK: nvvm.mbarrier.arrive
// CHECK-NOT: nvvm.mbarrier.arrive
hopper.kernel @chosen(%n: index) source "k" threads 384 shared 128 tma [] {
  hopper.ring "x" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 1
  hopper.ring "y" depth 1 at 0 slot 0 full 16 x 1 empty 24 x 1
  hopper.ring "z" depth 1 at 0 slot 0 full 64 x 1 empty 72 x 1
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 elected {
    %c0 = arith.constant 0 : i32
    hopper.arrive "x" "full"[%c0]
  }
  hopper.process "b" warps 4 + 4 registers 0 elected attributes {replica_of = "a"} {
    %c0 = arith.constant 0 : i32
    hopper.arrive "y" "full"[%c0]
  }
  hopper.process "c" warps 8 + 4 registers 0 elected attributes {replica_of = "a"} {
    %c0 = arith.constant 0 : i32
    hopper.arrive "z" "full"[%c0]
  }
}
