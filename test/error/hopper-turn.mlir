// A turn that nobody passes.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:5: error: 'hopper.await_turn' awaits a turn that this block does not pass [hopper-turn]
hopper.kernel @turn(%y: !tile.view<?xf32>, %n: index, %t: !tile.view<?xi32>) source "k" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    hopper.await_turn %t[%c0] turn %c0 : !tile.view<?xi32>
  }
}
