// Blocks that add to the piece of their neighbour, of which it is not known that each has all turns.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 18:5: error: 'y' is reduced in turns, and its place along axis 0 is not an index of its own times the tile's extent there; without "split_k" blocks add by atomics [task-pin]
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @total inner(reads %x: !t, reduces(add) %y: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, %u] : !t
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = task.count %xs, 0 : !p
  %n = task.count %xs, 1 : !p
  task.prange (%i, %j) to (%m, %n) {
    %next = arith.addi %i, %one : index
    %a = task.piece %xs[%i, %j] : !p
    %b = task.piece %ys[%next, %zero] : !p
    task.launch @one(%a, %b) : !t, !t
  }
}
task.variant @leaf of @one leaf(reads %x: !t, reduces(add) %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %a, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.pin "split_k" = "turnstile"
  task.instance @grid runs @grid on host memories [global, global] calls [@leaf] {
    task.tune "U" = 64
  }
  task.instance @leaf runs @leaf on block
}
