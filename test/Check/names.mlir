// A number is known by where it comes from, not by what it is called.
// RUN: split-file %s %t
// RUN: not heddle check %t/zero.mlir 2>&1 | FileCheck %s
// RUN: not heddle check %t/extent.mlir 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not heddle check %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// CHECK: error: @named: no deadlock of ring 'r'
// CHECK: replay: heddle run --device=emulator
// EXTENT: error: 'hopper.kernel' has an argument that is called 'dim(a, 0)'; a name is letters, digits, and any of _ . $ - [hopper-kernel]
// TWICE: error: 'hopper.kernel' has two arguments that are called 'n' [hopper-kernel]

//--- zero.mlir
// An argument that is called as the constant 0 is printed.
hopper.kernel @named(%0: index) source "named" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    %end = scf.for %i = %c0 to %c0 step %c1 iter_args(%phase = %one) -> (i32) {
      hopper.wait "r" "empty"[%zero] phase %phase
      hopper.arrive "r" "full"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %end = scf.for %i = %c0 to %0 step %c1 iter_args(%phase = %zero) -> (i32) {
      hopper.wait "r" "full"[%zero] phase %phase
      hopper.arrive "r" "empty"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
}

//--- extent.mlir
// An argument that is called as an extent is.
hopper.kernel @named(%a: !tile.view<?xf16>, %n: index) source "named" threads 160 shared 16 tma [] attributes {arg_names = ["a", "dim(a, 0)"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = tile.dim %a, 0 : !tile.view<?xf16>
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %one) -> (i32) {
      hopper.wait "r" "empty"[%zero] phase %phase
      hopper.arrive "r" "full"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    %end = scf.for %i = %c0 to %m step %c1 iter_args(%phase = %zero) -> (i32) {
      hopper.wait "r" "full"[%zero] phase %phase
      hopper.arrive "r" "empty"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
}

//--- twice.mlir
// Two arguments of one name, of which each end counts by its own.
hopper.kernel @named(%n: index, %m: index) source "named" threads 160 shared 16 tma [] attributes {arg_names = ["n", "n"]} {
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "use" warps 0 + 4 registers 0 {
  }
}
