// A tile that is read again after it was written.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 30:8: error: 'y' is read below global memory after it was written there, where elements beyond an edge would no longer be zero; work on what task.make makes, and write the result once [task-lowering]
// expect: 17:5: note: in instance @inner, launched here
// expect: 27:3: note: in instance @add, launched here
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @scale inner(reads %x: !t, reads writes %y: !t) {
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
task.variant @twice of @scale leaf(reads %x: !t, reads writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %b = arith.addf %a, %a : tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.variant @inner of @scale inner(reads %x: !t, reads writes %y: !t) {
  task.launch @scale(%x, %y) : !t, !t
  task.launch @add(%y) : !t
}
task.variant @add_tile of @add leaf(reads writes %y: !t) {
  %a = task.read %y : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %b = arith.addf %a, %a : tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %b, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host memories [global, global] calls [@inner] {
    task.tune "U" = 64
  }
  task.instance @inner runs @inner on block memories [shared, shared] calls [@twice, @add]
  task.instance @twice runs @twice on block
  task.instance @add runs @add_tile on block
}
