// The expansion to threads cuts no index whose bits are read.
// RUN: not heddle-opt %s --hopper-to-nvvm 2>&1 | FileCheck %s
// CHECK: error: 'arith.cmpi' reads an index that may not fit 32 bits; hopper-narrow-numbers has to run before the expansion to threads [index-width]
hopper.kernel @k(%n: i64) source "k" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  %m = arith.index_cast %n : i64 to index
  hopper.grid %c0
  hopper.process "main" warps 0 + 4 registers 0 {
    %is = arith.cmpi sgt, %m, %c0 : index
    scf.if %is {
      hopper.sync 1 threads 128
    }
  }
}
