// A plan that lets a process read ahead what another writes.
// RUN: heddle compile %s --machine=dae --emit=sched -o %t.mlir
// RUN: sed 's/entry "load_state" on "execute" \(.*\) in "execute" /entry "load_state" on "access" \1 in "read_next" via "state" /; s/\( *\)sched.process "execute"/\1sched.ring "state" depth 4\n&/' %t.mlir > %t.moved.mlir
// RUN: %expect 3 heddle compile %t.moved.mlir --machine=dae --emit=aref -o %t.out
// expect: 14:7: error: 'load_state' in process 'read_next' and 'store_state' in process 'execute' may touch the same memory, and one writes; put both into one process [not-expandable]
tile.kernel @walk(%state: !tile.view<?xi32>, %next: !tile.view<?xi32>, %out: !tile.view<?xi32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    scf.for %step = %c0 to %steps step %c1 {
      %s = tile.load %state[%c0] : !tile.view<?xi32> -> tensor<1xi32>
      tile.store %s, %out[%step] : tensor<1xi32>, !tile.view<?xi32>
      %n = tile.load %next[%step] : !tile.view<?xi32> -> tensor<1xi32>
      tile.store %n, %state[%c0] : tensor<1xi32>, !tile.view<?xi32>
    }
  }
}
