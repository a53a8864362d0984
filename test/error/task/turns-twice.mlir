// Blocks that add to their piece twice.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 21:3: error: 'y' is reduced in turns, and the kernel accesses the view elsewhere, too; without "split_k" blocks add by atomics [task-pin]
// expect: 22:3: note: here
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @total inner(reads %x: !t, reduces(add) %y: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, %u] : !t
  %zero = arith.constant 0 : index
  %m = task.count %xs, 0 : !p
  %n = task.count %xs, 1 : !p
  task.prange (%i, %j) to (%m, %n) {
    %a = task.piece %xs[%i, %j] : !p
    %b = task.piece %ys[%i, %zero] : !p
    task.launch @two(%a, %b) : !t, !t
  }
}
task.variant @both of @two inner(reads %x: !t, reduces(add) %y: !t) {
  task.launch @one(%x, %y) : !t, !t
  task.launch @one(%x, %y) : !t, !t
}
task.variant @leaf of @one leaf(reads %x: !t, reduces(add) %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %a, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.pin "split_k" = "turnstile"
  task.instance @grid runs @grid on host memories [global, global] calls [@both] {
    task.tune "U" = 64
  }
  task.instance @both runs @both on block calls [@leaf]
  task.instance @leaf runs @leaf on block
}
