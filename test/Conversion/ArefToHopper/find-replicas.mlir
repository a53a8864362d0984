// RUN: heddle-opt %s --hopper-find-replicas --split-input-file | FileCheck %s --implicit-check-not=replica_of
// RUN: heddle-opt %s --hopper-find-replicas --hopper-to-nvvm --split-input-file | FileCheck %s --check-prefix=CODE
//
// Processes that do the same with other numbers are replicas: other slots of other rings,
// barriers and parities, and sums that are computed in another order.

// CHECK-LABEL: hopper.kernel @slots
// CHECK: hopper.process "load" warps 0 + 4 registers 0 {
// CHECK: hopper.process "a" warps 4 + 4 registers 0 {
// CHECK: hopper.process "b" warps 8 + 4 registers 0 attributes {replica_of = "a"} {
// CHECK: hopper.process "c" warps 12 + 4 registers 0 attributes {replica_of = "a"} {

// One code: the number of the replica, the warp and the thread in it, and where its
// barriers are.
// CODE-LABEL: llvm.func @slots
// CODE-COUNT-3: nvvm.mbarrier.arrive
// CODE: llvm.sub
// CODE: %[[FIRST:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
// CODE: %[[NUMBER:.*]] = llvm.udiv %[[FIRST]], %{{.*}} : i32
// CODE: %[[APART:.*]] = llvm.mlir.constant(32 : i32) : i32
// CODE: %[[BYTES:.*]] = llvm.mul %[[NUMBER]], %[[APART]] : i32
// CODE: nvvm.mbarrier.try_wait
// CODE: llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CODE: nvvm.mbarrier.arrive
// CODE-NOT: nvvm.mbarrier
// CODE: %[[TWO:.*]] = llvm.mlir.constant(2 : i32) : i32
// CODE: %[[BARRIER:.*]] = llvm.add %[[NUMBER]], %[[TWO]] : i32
// CODE: barrier.cta.sync.aligned.count"(%[[BARRIER]],
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
  hopper.process "b" warps 8 + 4 registers 0 {
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %c0_again = arith.constant 0 : i32
    hopper.wait "y" "full"[%c0] phase %c0_again
    hopper.arrive "y" "empty"[%c0]
    hopper.sync 3 threads 128
  }
  hopper.process "c" warps 12 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    hopper.wait "z" "full"[%c0] phase %c0
    hopper.arrive "z" "empty"[%c0]
    hopper.sync 4 threads 128
  }
}

// -----

// Numbers that do not grow evenly are chosen. One thread runs each of these.
// CHECK-LABEL: hopper.kernel @chosen
// CHECK: hopper.process "b" warps 4 + 4 registers 0 elected attributes {replica_of = "a"} {
// CHECK: hopper.process "c" warps 8 + 4 registers 0 elected attributes {replica_of = "a"} {
// CODE-LABEL: llvm.func @chosen
// CODE: %[[NUMBER:.*]] = llvm.udiv
// CODE: %[[WARP:.*]] = llvm.add
// CODE: %[[WARP:.*]] = llvm.add
// CODE: llvm.icmp "eq" %[[WARP]],
// CODE: nvvm.elect.sync
// CODE: %[[SECOND:.*]] = llvm.icmp "eq" %[[NUMBER]], %{{.*}} : i32
// CODE: %[[BYTES:.*]] = llvm.select %[[SECOND]],
// CODE: %[[THIRD:.*]] = llvm.icmp "eq" %[[NUMBER]], %{{.*}} : i32
// CODE: llvm.select %[[THIRD]], %{{.*}}, %[[BYTES]]
// CODE: nvvm.mbarrier.arrive
// CODE-NOT: nvvm.mbarrier.arrive
hopper.kernel @chosen(%n: index) source "k" threads 384 shared 128 tma [] {
  hopper.ring "x" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 1
  hopper.ring "y" depth 1 at 0 slot 0 full 16 x 1 empty 24 x 1
  hopper.ring "z" depth 1 at 0 slot 0 full 64 x 1 empty 72 x 1
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 elected {
    %c0 = arith.constant 0 : i32
    hopper.arrive "x" "full"[%c0]
  }
  hopper.process "b" warps 4 + 4 registers 0 elected {
    %c0 = arith.constant 0 : i32
    hopper.arrive "y" "full"[%c0]
  }
  hopper.process "c" warps 8 + 4 registers 0 elected {
    %c0 = arith.constant 0 : i32
    hopper.arrive "z" "full"[%c0]
  }
}
