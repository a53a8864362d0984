// A counter that grows by 2^32 looks the same in its lowest 32 bits: behind four turns of the loop the slot is not there.
// RUN: not heddle check %s 2>&1 | FileCheck %s
// CHECK: error: @grows: {{.*}}uses slot 1 of ring 'r', which has 1 slot
hopper.kernel @grows(%n: index) source "grows" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %more = arith.constant 4294967296 : index
  %four = arith.constant 17179869184 : index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    hopper.wait "r" "empty"[%zero] phase %one
    hopper.arrive "r" "full"[%zero]
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
      hopper.sync 1 threads 128
      %next = arith.addi %x, %more : index
      scf.yield %next : index
    }
    %slot_index = arith.divsi %sum, %four : index
    %slot = arith.index_cast %slot_index : index to i32
    hopper.wait "r" "full"[%slot] phase %zero
    hopper.arrive "r" "empty"[%slot]
  }
}
