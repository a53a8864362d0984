// A line that nothing keeps yet.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 24:3: error: "cluster" cannot be pinned yet but with "split_k" = "cluster"; without the line the compiler decides [task-pin]
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
task.mapping @map entry @grid {
  task.pin "cluster" = 2
  task.instance @grid runs @grid on host memories [global, global] calls [@twice] {
    task.tune "U" = 64
  }
  task.instance @twice runs @twice on block
}
