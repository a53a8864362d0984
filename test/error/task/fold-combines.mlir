// A leaf that adds up the rows of its piece.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 23:8: error: the pieces of a prange do not become one tile here: they are combined [task-lowering]
// expect: 17:5: note: in instance @inner, launched here
// expect: 39:5: note: in instance @twice, launched here
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
  %r = tile.reduce %a axis 0 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?xf32, #tile.shape<"N">> combine (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    tile.yield %s : f32
  }
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.variant @inner of @scale inner(reads %x: !t, writes %y: !t) {
  %w = task.tunable "W"
  %u = task.extent %y, 0 : !t
  %h = arith.divui %u, %w : index
  %xs = task.blocks %x by [%h, all] : !t
  %ys = task.blocks %y by [%h, all] : !t
  %n = task.count %ys, 0 : !p
  task.prange (%g) to (%n) {
    %a = task.piece %xs[%g, all] : !p
    %b = task.piece %ys[%g, all] : !p
    task.launch @scale(%a, %b) : !t, !t
  }
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host memories [global, global] calls [@inner] {
    task.tune "U" = 64
  }
  task.instance @inner runs @inner on block calls [@twice] {
    task.tune "W" = 2
  }
  task.instance @twice runs @twice on warpgroup
}
