// One end of a ring takes a turn for each point, the other in PARTS.
hopper.kernel @parts(%a: !tile.view<?xi32>) source "parts" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tile.dim %a, 0 : !tile.view<?xi32>
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
    PARTS
  }
}
