// A list is no tensor beside.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 16:10: error: a list is an argument of the entry, read there by elements and in no other way; pass the element on [task-lowering]
!t = !task.tensor<?x?xf32>
!l = !task.tensor<?xi32>
!p = !task.partition<?x?xf32>
task.variant @grid of @pick inner(reads %x: !t, reads %g: !l, reads writes %y: !t) {
  %u = task.tunable "U"
  %c0 = arith.constant 0 : index
  %len = task.extent %g, 0 : !l
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, %u] : !t
  %m = task.count %ys, 0 : !p
  %n = task.count %ys, 1 : !p
  task.prange (%i, %j) to (%m, %n) {
    %e = task.element %g[%i] : !l
    %a = task.piece %xs[%e, %j] : !p
    %b = task.piece %ys[%i, %j] : !p
    task.launch @scale(%a, %b) : !t, !t
  }
}
task.variant @twice of @scale leaf(reads %x: !t, reads writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %b = arith.addf %a, %a : tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host calls [@twice] {
    task.tune "U" = 64
  }
  task.instance @twice runs @twice on block
}
