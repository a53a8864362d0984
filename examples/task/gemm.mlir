task.variant @grid of @gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":24:23), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":24:23), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":24:23)) {
  %0 = task.tunable "U" loc("examples/task/gemm.cpp":25:15)
  %1 = task.tunable "V" loc("examples/task/gemm.cpp":25:33)
  %2 = task.blocks %a by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":26:17)
  %3 = task.blocks %b by [all, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":27:17)
  %4 = task.blocks %c by [%0, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":28:17)
  %5 = task.count %4, 0 : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":29:34)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":29:47)
  task.prange (%7, %8) to (%5, %6) {
    %9 = task.piece %2[%7, all] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":30:14)
    %10 = task.piece %3[all, %8] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":30:26)
    %11 = task.piece %4[%7, %8] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":30:38)
    task.launch @gemm(%9, %10, %11) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":30:11)
  } loc("examples/task/gemm.cpp":29:24)
} loc("examples/task/gemm.cpp":24:23)

task.variant @block of @gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":34:24), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":34:24), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":34:24)) {
  %0 = task.tunable "W" loc("examples/task/gemm.cpp":35:15)
  %1 = task.extent %c, 0 : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":36:28)
  %2 = task.extent %c, 1 : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":36:41)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":36:16)
  task.launch @clear(%3) : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":37:10)
  %4 = task.blocks %a by [all, %0] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":38:17)
  %5 = task.blocks %b by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":39:17)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":40:30)
  task.srange %7 to %6 {
    %8 = task.piece %4[all, %7] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":41:13)
    %9 = task.piece %5[%7, all] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":41:25)
    task.launch @add(%8, %9, %3) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":41:10)
  } loc("examples/task/gemm.cpp":40:20)
  task.launch @store(%3, %c) : !task.tensor<?x?xf32>, !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":42:10)
} loc("examples/task/gemm.cpp":34:24)

task.variant @rows of @add inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":46:22), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":46:22), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":46:22)) {
  %0 = task.tunable "GROUPS" loc("examples/task/gemm.cpp":47:20)
  %1 = task.extent %s, 0 : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":48:22)
  %2 = arith.divui %1, %0 : index loc("examples/task/gemm.cpp":48:20)
  %3 = task.blocks %a by [%2, all] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":49:17)
  %4 = task.blocks %s by [%2, all] : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":50:17)
  task.prange (%5) to (%0) {
    %6 = task.piece %3[%5, all] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":52:13)
    %7 = task.piece %4[%5, all] : !task.partition<?x?xf32> loc("examples/task/gemm.cpp":52:28)
    task.launch @add(%6, %b, %7) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":52:10)
  } loc("examples/task/gemm.cpp":51:21)
} loc("examples/task/gemm.cpp":46:22)

task.variant @product of @add leaf(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":55:25), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":55:25), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":55:25)) {
  %0 = task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/gemm.cpp":56:15)
  %1 = task.read %b : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/gemm.cpp":56:35)
  %2 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":56:55)
  %3 = tile.dot %0, %1, %2 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":56:9)
  task.write %3, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":56:9)
} loc("examples/task/gemm.cpp":55:25)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":58:24)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/gemm.cpp":58:61)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":58:61)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":58:61)
} loc("examples/task/gemm.cpp":58:24)

task.variant @round of @store leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":59:25), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":59:25)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":60:21)
  %1 = tile.cast %0 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?xf16, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":60:9)
  task.write %1, %c : tensor<?x?xf16, #tile.shape<"M", "N">>, !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":60:9)
} loc("examples/task/gemm.cpp":59:25)

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host memories [global, global, global] calls [@block] {
    task.tune "U" = 128 loc("examples/task/gemm.cpp":69:8)
    task.tune "V" = 256 loc("examples/task/gemm.cpp":70:8)
    task.pin "order" of "b" = #tile.order<0, 1> loc("examples/task/gemm.cpp":71:8)
  } loc("examples/task/gemm.cpp":66:7)
  task.instance @block runs @block on block memories [global, global, global] calls [@zero, @rows, @round] {
    task.tune "W" = 64 loc("examples/task/gemm.cpp":75:8)
    task.pin "specialised" = true loc("examples/task/gemm.cpp":76:8)
    task.pin "pipeline" = 4 loc("examples/task/gemm.cpp":77:8)
  } loc("examples/task/gemm.cpp":72:7)
  task.instance @rows runs @rows on block memories [shared, shared, none] calls [@product] {
    task.tune "GROUPS" = 2 loc("examples/task/gemm.cpp":81:8)
  } loc("examples/task/gemm.cpp":78:7)
  task.instance @product runs @product on warpgroup memories [shared, shared, register] loc("examples/task/gemm.cpp":82:7)
  task.instance @zero runs @zero on warpgroup memories [register] loc("examples/task/gemm.cpp":83:7)
  task.instance @round runs @round on warpgroup memories [register, register] loc("examples/task/gemm.cpp":84:7)
} loc("examples/task/gemm.cpp":65:11)
