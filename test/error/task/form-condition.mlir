// A condition is a flag, not a number.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 16:38: error: use of value '%i' expects different type than prior uses: 'i1' vs 'index' [not-well-formed]
// expect: 14:16: note: prior use here
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @scale inner(reads %x: !t, reads writes %y: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, %u] : !t
  %m = task.count %ys, 0 : !p
  %n = task.count %ys, 1 : !p
  %c0 = arith.constant 0 : index
  task.prange (%i, %j) to (%m, %n) {
    %a = task.piece %xs[%i, %j] : !p
    %b = task.piece %ys[%i, %j] when %i : !p
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
