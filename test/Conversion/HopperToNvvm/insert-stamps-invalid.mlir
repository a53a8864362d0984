// RUN: heddle-opt %s --hopper-stamp --split-input-file --verify-diagnostics

module attributes {heddle.trace = "all"} {
  // expected-error@+1 {{argument 'trace' of kernel 'k' has the name of the one that holds the stamps of an instrumented kernel; give it another [not-instrumented]}}
  hopper.kernel @k(%trace: i32) source "k" threads 128 shared 0 tma [] {
    %c1 = arith.constant 1 : index
    hopper.grid %c1
    hopper.process "p" warps 0 + 4 registers 0 {
    }
  }
}
