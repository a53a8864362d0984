// As an edit of a saved rung may leave it: the second process waits for other slots than
// the first, which one code may do, and then arrives nowhere, which it may not.
// RUN: %expect 3 heddle compile --check-protocol=false %s -o %t.ptx
// expect: 16:3: error: process 'b' is no replica of 'a': a step of that is 'hopper.arrive', and it has none like it there [replica-differs]
hopper.kernel @k(%n: index) source "k" threads 256 shared 64 tma [] {
  hopper.ring "r" depth 2 at 0 slot 0 full 0 x 4 empty 16 x 4
  hopper.ring "s" depth 2 at 0 slot 0 full 32 x 4 empty 48 x 4
  hopper.grid %n
  hopper.process "a" warps 0 + 4 registers 0 {
    %c0 = arith.constant 0 : i32
    hopper.wait "r" "full"[%c0] phase %c0
    hopper.arrive "r" "empty"[%c0]
  }
  // `replica_of` is what is wrong here.

  hopper.process "b" warps 4 + 4 registers 0 attributes {replica_of = "a"} {
    %c0 = arith.constant 0 : i32
    hopper.wait "s" "full"[%c0] phase %c0
  }
}
