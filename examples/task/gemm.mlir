!in = f16
!in2 = !task.tensor<?x?x!in>
!inp = !task.partition<?x?x!in>
!out = f16
!out2 = !task.tensor<?x?x!out>
!outp = !task.partition<?x?x!out>
!sum2 = !task.tensor<?x?xf32>
!sump = !task.partition<?x?xf32>

task.variant @grid of @gemm inner(reads %a: !in2, reads %b: !in2, writes %c: !out2) {
  %u = task.tunable "U"
  %v = task.tunable "V"
  %as = task.blocks %a by [%u, all] : !in2
  %bs = task.blocks %b by [all, %v] : !in2
  %cs = task.blocks %c by [%u, %v] : !out2
  %m = task.count %cs, 0 : !outp
  %n = task.count %cs, 1 : !outp
  task.prange (%i, %j) to (%m, %n) {
    %x = task.piece %as[%i, all] : !inp
    %y = task.piece %bs[all, %j] : !inp
    %z = task.piece %cs[%i, %j] : !outp
    task.launch @gemm(%x, %y, %z) : !in2, !in2, !out2
  }
}

task.variant @block of @gemm inner(reads %a: !in2, reads %b: !in2, writes %c: !out2) {
  %w = task.tunable "W"
  %u = task.extent %c, 0 : !out2
  %v = task.extent %c, 1 : !out2
  %sum = task.make [%u, %v] : !sum2
  task.launch @clear(%sum) : !sum2
  %as = task.blocks %a by [all, %w] : !in2
  %bs = task.blocks %b by [%w, all] : !in2
  %k = task.count %as, 1 : !inp
  task.srange %s to %k {
    %x = task.piece %as[all, %s] : !inp
    %y = task.piece %bs[%s, all] : !inp
    task.launch @add(%x, %y, %sum) : !in2, !in2, !sum2
  }
  task.launch @store(%sum, %c) : !sum2, !out2
}

task.variant @add_rows of @add inner(reads %a: !in2, reads %b: !in2, reads writes %s: !sum2) {
  %groups = task.tunable "GROUPS"
  %u = task.extent %s, 0 : !sum2
  %h = arith.divui %u, %groups : index
  %as = task.blocks %a by [%h, all] : !in2
  %ss = task.blocks %s by [%h, all] : !sum2
  task.prange (%g) to (%groups) {
    %x = task.piece %as[%g, all] : !inp
    %z = task.piece %ss[%g, all] : !sump
    task.launch @add(%x, %b, %z) : !in2, !in2, !sum2
  }
}

task.variant @add_tile of @add leaf(reads %a: !in2, reads %b: !in2, reads writes %s: !sum2) {
  %x = task.read %a : !in2 -> tensor<?x?x!in, #tile.shape<"M", "K">>
  %y = task.read %b : !in2 -> tensor<?x?x!in, #tile.shape<"K", "N">>
  %z = task.read %s : !sum2 -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %d = tile.dot %x, %y, %z : tensor<?x?x!in, #tile.shape<"M", "K">>, tensor<?x?x!in, #tile.shape<"K", "N">>
                             -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %d, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !sum2
}

task.variant @clear_tile of @clear leaf(writes %s: !sum2) {
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %zero, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !sum2
}

task.variant @store_tile of @store leaf(reads %s: !sum2, writes %c: !out2) {
  %x = task.read %s : !sum2 -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %y = tile.cast %x : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?x!out, #tile.shape<"M", "N">>
  task.write %y, %c : tensor<?x?x!out, #tile.shape<"M", "N">>, !out2
}

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host memories [global, global, global] calls [@block] {
    task.tune "U" = 128
    task.tune "V" = 256
    task.pin "order" of "b" = #tile.order<0, 1>
  }
  task.instance @block runs @block on block memories [global, global, global]
      calls [@clear, @rows, @store] {
    task.tune "W" = 64
    task.pin "specialised" = true
    task.pin "pipeline" = 4
  }
  task.instance @rows runs @add_rows on block memories [shared, shared, none] calls [@add] {
    task.tune "GROUPS" = 2
  }
  task.instance @add runs @add_tile on warpgroup memories [shared, shared, register]
  task.instance @clear runs @clear_tile on warpgroup memories [register]
  task.instance @store runs @store_tile on warpgroup memories [register, register]
}
