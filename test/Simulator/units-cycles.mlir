// Cycles that can be added up from machines/dae.json.
// RUN: heddle simulate %s --order=timed --machine=dae --view x=4 --view y=4 | FileCheck %s
// A line that no cache has: 4 + 10 + 60 cycles to see that, 4 for the channel, 200 for memory. The store
// leaves a cycle later and nobody waits for it.
// CHECK: 279 cycles
// CHECK-NEXT: copy: busy for 2
// CHECK-NEXT: L1: 2 lines, 0 there
// CHECK: memory: 2 lines

// What the text says counts.
// RUN: sed 's/y\[.c0\]/& {aref.issue = 40}/' %s > %t.mlir
// RUN: heddle simulate %t.mlir --order=timed --machine=dae --view x=4 --view y=4 | FileCheck %s --check-prefix=SLOW
// SLOW: 318 cycles
// SLOW-NEXT: copy: busy for 41
tile.kernel @k(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  aref.process "copy" on "execute" {
    %t = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, !tile.view<?xf32>
  }
}
