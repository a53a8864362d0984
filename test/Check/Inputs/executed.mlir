// Two ends of a ring of one slot: PRODUCER and CONSUMER.
hopper.kernel @executed(%n32: i32, %a: !tile.view<?xi32>) source "executed" threads 160 shared 16 tma [] attributes {arg_names = ["n", "a"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i5 = arith.constant 5 : i32
  %n = arith.index_cast %n32 : i32 to index
  %m = tile.dim %a, 0 : !tile.view<?xi32>
  hopper.ring "r" depth 1 at 0 slot 0 full 0 x 1 empty 8 x 4
  hopper.process "load" warps 4 + 1 registers 0 elected {
    PRODUCER
  }
  hopper.process "use" warps 0 + 4 registers 0 {
    CONSUMER
  }
}
