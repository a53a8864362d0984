// Two ends of a ring, which take LEFT and RIGHT turns.
hopper.kernel @turns(%n: i32, %m: index, %w: i64, %a: !tile.view<?xi32>) source "turns" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %no = arith.constant false
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n_index = arith.index_cast %n : i32 to index
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    LEFT
    %end = scf.for %i = %c0 to %left step %c1 iter_args(%phase = %one) -> (i32) {
      hopper.wait "r" "empty"[%zero] phase %phase
      hopper.arrive "r" "full"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    RIGHT
    %end = scf.for %i = %c0 to %right step %c1 iter_args(%phase = %zero) -> (i32) {
      hopper.wait "r" "full"[%zero] phase %phase
      hopper.arrive "r" "empty"[%zero]
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
  }
}
