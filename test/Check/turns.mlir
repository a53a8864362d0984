// That the turn which a block awaits comes is a matter of other blocks. One protocol does not show it, so it is said.
// RUN: heddle check %s | FileCheck %s
// CHECK: @turns: proved for every trip count
// CHECK-NEXT: assumed: the turn that {{.*}}turns.mlir:[[#@LINE+11]]:5 awaits comes (blocks of lower numbers pass those before it)
// CHECK-NOT: assumed

// The number of a place is a scalar that nothing else needs.
// RUN: heddle compile %s -o %t.ptx && FileCheck %s --check-prefix=PTX --input-file %t.ptx
// PTX: .entry turns
hopper.kernel @turns(%y: !tile.view<?xf32>, %n: index, %place: index, %t: !tile.view<?xi32>) source "turns" threads 128 shared 0 tma [] {
  %c0 = arith.constant 0 : index
  hopper.grid each %n
  hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>
  hopper.process "p" warps 0 + 4 registers 0 {
    hopper.await_turn %t[%place] turn %c0 : !tile.view<?xi32>
    hopper.sync 1 threads 128
    hopper.pass_turn %t[%place] : !tile.view<?xi32>
  }
}
