// Two processes do the same until one's number needs 64 bits, which nothing asks of a launch and the
// other's does not: each has its own code then. Where both fit, one code is left.
// RUN: heddle-opt %s --split-input-file --hopper-narrow-numbers 2>/dev/null | FileCheck %s
// RUN: heddle-opt %s --split-input-file --hopper-narrow-numbers --hopper-to-nvvm 2>/dev/null | FileCheck %s --check-prefix=CODE

// CHECK-LABEL: hopper.kernel @apart
// CHECK-NOT: replica_of
// CODE-LABEL: llvm.func @apart
// CODE-COUNT-2: llvm.icmp "sgt"
hopper.kernel @apart(%n: i64) source "k" threads 256 shared 64 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 2147483648 : i64
  %rest = arith.remui %n, %end : i64
  %m = arith.index_cast %rest : i64 to index
  hopper.grid %c1
  hopper.process "a" warps 0 + 4 registers 0 {
    %c64 = arith.constant 64 : index
    %less = arith.subi %m, %c64 : index
    %is = arith.cmpi sgt, %less, %c0 : index
    scf.if %is {
      hopper.sync 1 threads 128
    }
  }
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    %c64 = arith.constant 64 : index
    %more = arith.addi %m, %c64 : index
    %is = arith.cmpi sgt, %more, %c0 : index
    scf.if %is {
      hopper.sync 2 threads 128
    }
  }
}

// -----

// CHECK-LABEL: hopper.kernel @alike
// CHECK: hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"}
// CODE-LABEL: llvm.func @alike
// CODE: llvm.icmp "sgt"
// CODE-NOT: llvm.icmp "sgt"
hopper.kernel @alike(%n: i64) source "k" threads 256 shared 64 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 65536 : i64
  %rest = arith.remui %n, %end : i64
  %m = arith.index_cast %rest : i64 to index
  hopper.grid %c1
  hopper.process "a" warps 0 + 4 registers 0 {
    %c64 = arith.constant 64 : index
    %less = arith.subi %m, %c64 : index
    %is = arith.cmpi sgt, %less, %c0 : index
    scf.if %is {
      hopper.sync 1 threads 128
    }
  }
  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    %c64 = arith.constant 64 : index
    %more = arith.addi %m, %c64 : index
    %is = arith.cmpi sgt, %more, %c0 : index
    scf.if %is {
      hopper.sync 2 threads 128
    }
  }
}
