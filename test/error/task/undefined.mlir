// A tensor is read before a write.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 22:8: error: 'x' is read before anything is written to it [task-undefined]
// expect: 28:8: note: it is made here
// expect: 18:5: note: in instance @inner, launched here
// expect: 29:3: note: in instance @twice, launched here
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @scale inner(reads %x: !t, writes %y: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, %u] : !t
  %m = task.count %ys, 0 : !p
  %n = task.count %ys, 1 : !p
  task.prange (%i, %j) to (%m, %n) {
    %a = task.piece %xs[%i, %j] : !p
    %b = task.piece %ys[%i, %j] : !p
    task.launch @scale(%a, %b) : !t, !t
  }
}
task.variant @twice of @scale leaf(reads %x: !t, writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %b = arith.addf %a, %a : tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.variant @inner of @scale inner(reads %x: !t, writes %y: !t) {
  %m = task.extent %x, 0 : !t
  %s = task.make [%m, %m] : !t
  task.launch @scale(%s, %y) : !t, !t
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host memories [global, global] calls [@inner] {
    task.tune "U" = 64
  }
  task.instance @inner runs @inner on block calls [@twice]
  task.instance @twice runs @twice on block
}
