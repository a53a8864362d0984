// A leaf calls what is not in the text.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 21:8: error: 'func.call' leaves the text: heddle has no cost for code that it does not see; write the leaf @twice with operations on tiles [task-form]
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
func.func private @mine(tensor<?x?xf32, #tile.shape<"M", "N">>) -> tensor<?x?xf32, #tile.shape<"M", "N">>
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
  %b = func.call @mine(%a) : (tensor<?x?xf32, #tile.shape<"M", "N">>) -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host memories [global, global] calls [@twice] {
    task.tune "U" = 64
  }
  task.instance @twice runs @twice on block
}
