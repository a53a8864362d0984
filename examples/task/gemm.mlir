// heddle run examples/task/gemm.mlir --view a=512x256 --view b=256x512 --view c=512x512

task.variant @grid of @gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":35:12), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":35:12), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":35:12)) {
  %0 = task.tunable "U" loc("examples/task/gemm.cpp":36:19)
  %1 = task.tunable "V" loc("examples/task/gemm.cpp":36:37)
  %2 = task.blocks %a by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":37:21)
  %3 = task.blocks %b by [all, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":38:21)
  %4 = task.blocks %c by [%0, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":39:21)
  %5 = task.count %4, 0 : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":40:38)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":40:51)
  task.prange (%7, %8) to (%5, %6) {
    %9 = task.piece %2[%7, all] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":41:18)
    %10 = task.piece %3[all, %8] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":41:30)
    %11 = task.piece %4[%7, %8] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":41:42)
    task.launch @gemm(%9, %10, %11) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":41:15)
  } loc("examples/task/gemm.cpp":40:28)
} loc("examples/task/gemm.cpp":35:12)

task.variant @block of @gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":46:12), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":46:12), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":46:12)) {
  %0 = task.tunable "W" loc("examples/task/gemm.cpp":47:19)
  %1 = task.extent %c, 0 : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":48:32)
  %2 = task.extent %c, 1 : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":48:45)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":48:20)
  task.launch @clear(%3) : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":49:14)
  %4 = task.blocks %a by [all, %0] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":50:21)
  %5 = task.blocks %b by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":51:21)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":52:34)
  task.srange %7 to %6 {
    %8 = task.piece %4[all, %7] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":53:17)
    %9 = task.piece %5[%7, all] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":53:29)
    task.launch @add(%8, %9, %3) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":53:14)
  } loc("examples/task/gemm.cpp":52:24)
  task.launch @store(%3, %c) : !task.tensor<?x?xf32>, !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":54:14)
} loc("examples/task/gemm.cpp":46:12)

task.variant @rows of @add inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":59:11), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":59:11), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":59:11)) {
  %0 = task.tunable "GROUPS" loc("examples/task/gemm.cpp":60:24)
  %1 = task.extent %s, 0 : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":61:26)
  %2 = arith.divui %1, %0 : index loc("examples/task/gemm.cpp":61:24)
  %3 = task.blocks %a by [%2, all] : !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":62:21)
  %4 = task.blocks %s by [%2, all] : !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":63:21)
  task.prange (%5) to (%0) {
    %6 = task.piece %3[%5, all] : !task.partition<?x?xf16> loc("examples/task/gemm.cpp":65:17)
    %7 = task.piece %4[%5, all] : !task.partition<?x?xf32> loc("examples/task/gemm.cpp":65:32)
    task.launch @add(%6, %b, %7) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":65:14)
  } loc("examples/task/gemm.cpp":64:25)
} loc("examples/task/gemm.cpp":59:11)

task.variant @product of @add leaf(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":69:11), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":69:11), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":69:11)) {
  %0 = task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/gemm.cpp":70:19)
  %1 = task.read %b : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/gemm.cpp":70:39)
  %2 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":70:59)
  %3 = tile.dot %0, %1, %2 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":70:13)
  task.write %3, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":70:13)
} loc("examples/task/gemm.cpp":69:11)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":73:13)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/gemm.cpp":73:50)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":73:50)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":73:50)
} loc("examples/task/gemm.cpp":73:13)

task.variant @round of @store leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/gemm.cpp":74:25), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":74:25)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":75:21)
  %1 = tile.cast %0 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?xf16, #tile.shape<"M", "N">> loc("examples/task/gemm.cpp":75:9)
  task.write %1, %c : tensor<?x?xf16, #tile.shape<"M", "N">>, !task.tensor<?x?xf16> loc("examples/task/gemm.cpp":75:9)
} loc("examples/task/gemm.cpp":74:25)

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host memories [global, global, global] calls [@block] {
    task.tune "U" = 128 loc("examples/task/gemm.cpp":84:8)
    task.tune "V" = 256 loc("examples/task/gemm.cpp":85:8)
    task.pin "order" of "b" = #tile.order<0, 1> loc("examples/task/gemm.cpp":86:8)
  } loc("examples/task/gemm.cpp":81:7)
  task.instance @block runs @block on block memories [global, global, global] calls [@zero, @rows, @round] {
    task.tune "W" = 64 loc("examples/task/gemm.cpp":90:8)
    task.pin "specialised" = true loc("examples/task/gemm.cpp":91:8)
    task.pin "pipeline" = 4 loc("examples/task/gemm.cpp":92:8)
  } loc("examples/task/gemm.cpp":87:7)
  task.instance @rows runs @rows on block memories [shared, shared, none] calls [@product] {
    task.tune "GROUPS" = 2 loc("examples/task/gemm.cpp":96:8)
  } loc("examples/task/gemm.cpp":93:7)
  task.instance @product runs @product on warpgroup memories [shared, shared, register] loc("examples/task/gemm.cpp":97:7)
  task.instance @zero runs @zero on warpgroup memories [register] loc("examples/task/gemm.cpp":98:7)
  task.instance @round runs @round on warpgroup memories [register, register] loc("examples/task/gemm.cpp":99:7)
} loc("examples/task/gemm.cpp":80:11)
