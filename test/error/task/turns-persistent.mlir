// Turns of blocks that go through several instances.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 8:1: remark: @total stays one process, because it has no loop to pipeline [not-specialised]
// expect: 19:5: remark: threads add this tile, an element at a time: the register layout does not part at multiples of 32 columns [reduction-not-tma]
// expect: 28:3: error: instances that take turns have a block each, so that nobody waits for who has not begun; blocks go through several instances here [pin-unmet]
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @total inner(reads %x: !t, reduces(add) %y: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, all] : !t
  %zero = arith.constant 0 : index
  %m = task.count %xs, 0 : !p
  %n = task.count %xs, 1 : !p
  %cuts = task.blocks %y by [%u, %u] : !t
  task.prange (%i, %j) to (%m, %n) {
    %a = task.piece %xs[%i, %j] : !p
    %b = task.piece %cuts[%i, %zero] : !p
    task.launch @one(%a, %b) : !t, !t
  }
}
task.variant @leaf of @one leaf(reads %x: !t, reduces(add) %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %a, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.pin "split_k" = "turnstile"
  task.pin "persistent" = true
  task.instance @grid runs @grid on host memories [global, global] calls [@leaf] {
    task.tune "U" = 64
  }
  task.instance @leaf runs @leaf on block
}
