// A cluster of nobody knows how many blocks.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 25:3: error: "split_k" = "cluster" adds up what the blocks of a cluster have; say how many it has, "cluster" = 2, 4 or 8 [task-mapping]
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
  task.pin "split_k" = "cluster"
  task.instance @grid runs @grid on host memories [global, global] calls [@leaf] {
    task.tune "U" = 64
  }
  task.instance @leaf runs @leaf on block
}
