// One end of a ring goes through this first: BEFORE.
hopper.kernel @ends(%n: index, %a: !tile.view<?xi32>) source "ends" threads 160 shared 16 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %no = arith.constant false
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %least = arith.constant -9223372036854775808 : index
  %most = arith.constant 9223372036854775807 : index
  %quarter = arith.constant 4611686018427387904 : index
  %c2 = arith.constant 2 : index
  %quarter32 = arith.constant 1073741824 : i32
  %many = arith.cmpi sgt, %n, %c1 : index
  %m = tile.dim %a, 0 : !tile.view<?xi32>
  hopper.grid %c1
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    BEFORE
    hopper.wait "r" "empty"[%zero] phase %one
    hopper.arrive "r" "full"[%zero]
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    hopper.wait "r" "full"[%zero] phase %zero
    hopper.arrive "r" "empty"[%zero]
  }
}
