// heddle run examples/task/grouped_gemm.mlir --view a=300x200 --view b=3x200x264 --view groups=3xi32 --values groups=2,0,1 --view c=300x264

task.variant @grid of @grouped_gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":35:31), reads %b: !task.tensor<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":35:31), reads %groups: !task.tensor<?xi32> loc("examples/task/grouped_gemm.cpp":35:31), writes %c: !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":35:31)) {
  %0 = task.tunable "U" loc("examples/task/grouped_gemm.cpp":36:22)
  %1 = task.tunable "V" loc("examples/task/grouped_gemm.cpp":36:40)
  %2 = task.blocks %a by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":37:23)
  %3 = arith.constant 1 : index loc("examples/task/grouped_gemm.cpp":38:23)
  %4 = task.blocks %b by [%3, all, %1] : !task.tensor<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":38:23)
  %5 = task.blocks %c by [%0, %1] : !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":39:23)
  %6 = task.count %5, 0 : !task.partition<?x?xf16> loc("examples/task/grouped_gemm.cpp":40:39)
  %7 = task.count %5, 1 : !task.partition<?x?xf16> loc("examples/task/grouped_gemm.cpp":40:52)
  task.prange (%8, %9) to (%6, %7) {
    %10 = task.element %groups[%8] : !task.tensor<?xi32> loc("examples/task/grouped_gemm.cpp":41:35)
    %11 = task.piece %2[%8, all] : !task.partition<?x?xf16> loc("examples/task/grouped_gemm.cpp":42:14)
    %12 = task.piece %4[%10, all, %9] : !task.partition<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":42:26)
    %13 = task.piece %5[%8, %9] : !task.partition<?x?xf16> loc("examples/task/grouped_gemm.cpp":42:45)
    task.launch @gemm(%11, %12, %13) : !task.tensor<?x?xf16>, !task.tensor<?x?x?xf16>, !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":42:11)
  } loc("examples/task/grouped_gemm.cpp":40:30)
} loc("examples/task/grouped_gemm.cpp":35:31)

task.variant @block of @gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":46:29), reads %b: !task.tensor<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":46:29), writes %c: !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":46:29)) {
  %0 = task.tunable "W" loc("examples/task/grouped_gemm.cpp":47:22)
  %1 = task.extent %c, 0 : !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":48:34)
  %2 = task.extent %c, 1 : !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":48:47)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":48:25)
  task.launch @clear(%3) : !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":49:10)
  %4 = task.blocks %a by [all, %0] : !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":50:23)
  %5 = task.blocks %b by [all, %0, all] : !task.tensor<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":51:23)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/grouped_gemm.cpp":52:35)
  task.srange %7 to %6 {
    %8 = task.piece %4[all, %7] : !task.partition<?x?xf16> loc("examples/task/grouped_gemm.cpp":53:13)
    %9 = task.piece %5[all, %7, all] : !task.partition<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":53:25)
    task.launch @add(%8, %9, %3) : !task.tensor<?x?xf16>, !task.tensor<?x?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":53:10)
  } loc("examples/task/grouped_gemm.cpp":52:26)
  task.launch @store(%3, %c) : !task.tensor<?x?xf32>, !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":54:10)
} loc("examples/task/grouped_gemm.cpp":46:29)

task.variant @product of @add leaf(reads %a: !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":57:29), reads %b: !task.tensor<?x?x?xf16> loc("examples/task/grouped_gemm.cpp":57:29), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":57:29)) {
  %0 = task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/grouped_gemm.cpp":58:20)
  %1 = task.read %b : !task.tensor<?x?x?xf16> -> tensor<1x?x?xf16, #tile.shape<"", "K", "N">> loc("examples/task/grouped_gemm.cpp":59:28)
  %2 = tile.reshape %1 : tensor<1x?x?xf16, #tile.shape<"", "K", "N">> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/grouped_gemm.cpp":59:21)
  %3 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/grouped_gemm.cpp":60:25)
  %4 = tile.dot %0, %2, %3 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/grouped_gemm.cpp":60:12)
  task.write %4, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":60:37)
} loc("examples/task/grouped_gemm.cpp":57:29)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":63:17)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/grouped_gemm.cpp":63:60)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/grouped_gemm.cpp":63:60)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":63:74)
} loc("examples/task/grouped_gemm.cpp":63:17)

task.variant @round of @store leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/grouped_gemm.cpp":64:29), writes %c: !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":64:29)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/grouped_gemm.cpp":65:60)
  %1 = tile.cast %0 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?xf16, #tile.shape<"M", "N">> loc("examples/task/grouped_gemm.cpp":65:53)
  task.write %1, %c : tensor<?x?xf16, #tile.shape<"M", "N">>, !task.tensor<?x?xf16> loc("examples/task/grouped_gemm.cpp":65:72)
} loc("examples/task/grouped_gemm.cpp":64:29)

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128 loc("examples/task/grouped_gemm.cpp":70:41)
    task.tune "V" = 128 of {128, 256} loc("examples/task/grouped_gemm.cpp":70:56)
  } loc("examples/task/grouped_gemm.cpp":70:9)
  task.instance @block runs @block on block calls [@zero, @product, @round] {
    task.tune "W" = 64 loc("examples/task/grouped_gemm.cpp":71:58)
  } loc("examples/task/grouped_gemm.cpp":71:9)
  task.instance @product runs @product on block memories [shared, shared, none] loc("examples/task/grouped_gemm.cpp":72:9)
  task.instance @zero runs @zero on block loc("examples/task/grouped_gemm.cpp":73:9)
  task.instance @round runs @round on block loc("examples/task/grouped_gemm.cpp":74:9)
} loc("examples/task/grouped_gemm.cpp":69:42)
