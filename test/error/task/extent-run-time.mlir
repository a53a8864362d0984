// A tile of unknown extent.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 16:5: error: the extent of axis 1 of 'y' is known only at run time; a tile is a block: cut the tensor along it [task-extent]
// expect: 16:5: note: in instance @twice, launched here
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @scale inner(reads %x: !t, reads writes %y: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, all] : !t
  %m = task.count %ys, 0 : !p
  %n = task.count %xs, 1 : !p
  task.prange (%i) to (%m) {
    %a = task.piece %xs[%i, %i] : !p
    %b = task.piece %ys[%i, all] : !p
    task.launch @scale(%a, %b) : !t, !t
  }
}
task.variant @twice of @scale leaf(reads %x: !t, reads writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %b = arith.addf %a, %a : tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host memories [global, global] calls [@twice] {
    task.tune "U" = 64
  }
  task.instance @twice runs @twice on block
}
