// heddle run examples/task/batched_gemm.mlir --view a=3x200x136 --view b=3x136x264 --view c=3x200x264

task.variant @grid of @batched_gemm inner(reads %a: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":30:23), reads %b: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":30:23), writes %c: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":30:23)) {
  %0 = task.tunable "U" loc("examples/task/batched_gemm.cpp":31:15)
  %1 = task.tunable "V" loc("examples/task/batched_gemm.cpp":31:33)
  %2 = arith.constant 1 : index loc("examples/task/batched_gemm.cpp":32:24)
  %3 = task.blocks %a by [%2, %0, all] : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":32:17)
  %4 = arith.constant 1 : index loc("examples/task/batched_gemm.cpp":33:24)
  %5 = task.blocks %b by [%4, all, %1] : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":33:17)
  %6 = arith.constant 1 : index loc("examples/task/batched_gemm.cpp":34:24)
  %7 = task.blocks %c by [%6, %0, %1] : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":34:17)
  %8 = task.count %7, 0 : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":35:37)
  %9 = task.count %7, 1 : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":35:50)
  %10 = task.count %7, 2 : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":35:63)
  task.prange (%11, %12, %13) to (%8, %9, %10) {
    %14 = task.piece %3[%11, %12, all] : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":36:14)
    %15 = task.piece %5[%11, all, %13] : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":36:29)
    %16 = task.piece %7[%11, %12, %13] : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":36:44)
    task.launch @batched_gemm(%14, %15, %16) : !task.tensor<?x?x?xf16>, !task.tensor<?x?x?xf16>, !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":36:11)
  } loc("examples/task/batched_gemm.cpp":35:27)
} loc("examples/task/batched_gemm.cpp":30:23)

task.variant @block of @batched_gemm inner(reads %a: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":39:24), reads %b: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":39:24), writes %c: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":39:24)) {
  %0 = task.tunable "W" loc("examples/task/batched_gemm.cpp":40:15)
  %1 = task.extent %c, 1 : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":41:28)
  %2 = task.extent %c, 2 : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":41:41)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":41:16)
  task.launch @clear(%3) : !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":42:10)
  %4 = task.blocks %a by [all, all, %0] : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":43:17)
  %5 = task.blocks %b by [all, %0, all] : !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":44:17)
  %6 = task.count %4, 2 : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":45:30)
  task.srange %7 to %6 {
    %8 = task.piece %4[all, all, %7] : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":46:13)
    %9 = task.piece %5[all, %7, all] : !task.partition<?x?x?xf16> loc("examples/task/batched_gemm.cpp":46:30)
    task.launch @add(%8, %9, %3) : !task.tensor<?x?x?xf16>, !task.tensor<?x?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":46:10)
  } loc("examples/task/batched_gemm.cpp":45:20)
  task.launch @store(%3, %c) : !task.tensor<?x?xf32>, !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":47:10)
} loc("examples/task/batched_gemm.cpp":39:24)

task.variant @product of @add leaf(reads %a: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":50:25), reads %b: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":50:25), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":50:25)) {
  %0 = task.read %a : !task.tensor<?x?x?xf16> -> tensor<1x?x?xf16, #tile.shape<"", "M", "K">> loc("examples/task/batched_gemm.cpp":51:24)
  %1 = tile.reshape %0 : tensor<1x?x?xf16, #tile.shape<"", "M", "K">> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/batched_gemm.cpp":51:14)
  %2 = task.read %b : !task.tensor<?x?x?xf16> -> tensor<1x?x?xf16, #tile.shape<"", "K", "N">> loc("examples/task/batched_gemm.cpp":52:24)
  %3 = tile.reshape %2 : tensor<1x?x?xf16, #tile.shape<"", "K", "N">> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/batched_gemm.cpp":52:14)
  %4 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/batched_gemm.cpp":53:21)
  %5 = tile.dot %1, %3, %4 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/batched_gemm.cpp":53:9)
  task.write %5, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":53:9)
} loc("examples/task/batched_gemm.cpp":50:25)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":56:13)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/batched_gemm.cpp":56:50)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/batched_gemm.cpp":56:50)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":56:50)
} loc("examples/task/batched_gemm.cpp":56:13)

task.variant @round of @store leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/batched_gemm.cpp":57:25), writes %c: !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":57:25)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/batched_gemm.cpp":58:29)
  %1 = tile.cast %0 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?xf16, #tile.shape<"M", "N">> loc("examples/task/batched_gemm.cpp":58:17)
  %2 = tile.reshape %1 : tensor<?x?xf16, #tile.shape<"M", "N">> -> tensor<1x?x?xf16, #tile.shape<"", "M", "N">> loc("examples/task/batched_gemm.cpp":58:9)
  task.write %2, %c : tensor<1x?x?xf16, #tile.shape<"", "M", "N">>, !task.tensor<?x?x?xf16> loc("examples/task/batched_gemm.cpp":58:9)
} loc("examples/task/batched_gemm.cpp":57:25)

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128 loc("examples/task/batched_gemm.cpp":64:37)
    task.tune "V" = 128 loc("examples/task/batched_gemm.cpp":64:52)
  } loc("examples/task/batched_gemm.cpp":64:7)
  task.instance @block runs @block on block calls [@zero, @product, @round] {
    task.tune "W" = 64 loc("examples/task/batched_gemm.cpp":67:8)
    task.pin "pipeline" = 6 loc("examples/task/batched_gemm.cpp":68:8)
  } loc("examples/task/batched_gemm.cpp":65:7)
  task.instance @product runs @product on block memories [shared, shared, none] loc("examples/task/batched_gemm.cpp":69:7)
  task.instance @zero runs @zero on block loc("examples/task/batched_gemm.cpp":70:7)
  task.instance @round runs @round on block loc("examples/task/batched_gemm.cpp":71:7)
} loc("examples/task/batched_gemm.cpp":63:11)
