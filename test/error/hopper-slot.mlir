// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:5: error: 'hopper.wait' names ring 'r', which the kernel does not have [hopper-slot]
hopper.kernel @k(%n: index) source "k" threads 128 shared 4096 tma [] {
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    hopper.wait "r" "full"[%c0] phase %c0
  }
}

