// No such line.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 26:5: error: there is no line "pipelines"; there are schedule, shared_bytes, machine, blocks, block_order, persistent, together, apart, split_k, cluster, deterministic, order, pipeline, specialised, interval, turns, ahead, tail, order_of, process, start, latency, via, late, depth, warps, registers [task-mapping]
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
  task.instance @grid runs @grid on host memories [global, global] calls [@twice] {
    task.tune "U" = 64
    task.pin "pipelines" = 4
  }
  task.instance @twice runs @twice on block
}
