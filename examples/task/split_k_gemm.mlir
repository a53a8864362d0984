// heddle run examples/task/split_k_gemm.mlir --view a=128x2048 --view b=2048x128 --view c=128x128

task.variant @grid of @split_k_gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":37:28), reads %b: !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":37:28), reduces(add) %c: !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":37:28)) {
  %0 = task.tunable "U" loc("examples/task/split_k_gemm.cpp":38:22)
  %1 = task.tunable "V" loc("examples/task/split_k_gemm.cpp":38:40)
  %2 = task.tunable "PART" loc("examples/task/split_k_gemm.cpp":38:61)
  %3 = task.blocks %a by [%0, %2] : !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":39:23)
  %4 = task.blocks %b by [%2, %1] : !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":40:23)
  %5 = task.blocks %c by [%0, %1] : !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":41:23)
  %6 = task.count %5, 0 : !task.partition<?x?xf32> loc("examples/task/split_k_gemm.cpp":42:42)
  %7 = task.count %5, 1 : !task.partition<?x?xf32> loc("examples/task/split_k_gemm.cpp":42:55)
  %8 = task.count %3, 1 : !task.partition<?x?xf16> loc("examples/task/split_k_gemm.cpp":42:68)
  task.prange (%9, %10, %11) to (%6, %7, %8) {
    %12 = task.piece %3[%9, %11] : !task.partition<?x?xf16> loc("examples/task/split_k_gemm.cpp":43:14)
    %13 = task.piece %4[%11, %10] : !task.partition<?x?xf16> loc("examples/task/split_k_gemm.cpp":43:24)
    %14 = task.piece %5[%9, %10] : !task.partition<?x?xf32> loc("examples/task/split_k_gemm.cpp":43:34)
    task.launch @split_k_gemm(%12, %13, %14) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":43:11)
  } loc("examples/task/split_k_gemm.cpp":42:33)
} loc("examples/task/split_k_gemm.cpp":37:28)

task.variant @block of @split_k_gemm inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":45:29), reads %b: !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":45:29), reduces(add) %c: !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":45:29)) {
  %0 = task.tunable "W" loc("examples/task/split_k_gemm.cpp":46:22)
  %1 = task.extent %c, 0 : !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":47:34)
  %2 = task.extent %c, 1 : !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":47:47)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":47:25)
  task.launch @clear(%3) : !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":48:10)
  %4 = task.blocks %a by [all, %0] : !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":49:23)
  %5 = task.blocks %b by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":50:23)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/split_k_gemm.cpp":51:35)
  task.srange %7 to %6 {
    %8 = task.piece %4[all, %7] : !task.partition<?x?xf16> loc("examples/task/split_k_gemm.cpp":52:13)
    %9 = task.piece %5[%7, all] : !task.partition<?x?xf16> loc("examples/task/split_k_gemm.cpp":52:25)
    task.launch @add(%8, %9, %3) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":52:10)
  } loc("examples/task/split_k_gemm.cpp":51:26)
  task.launch @share(%3, %c) : !task.tensor<?x?xf32>, !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":53:10)
} loc("examples/task/split_k_gemm.cpp":45:29)

task.variant @product of @add leaf(reads %a: !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":56:15), reads %b: !task.tensor<?x?xf16> loc("examples/task/split_k_gemm.cpp":56:15), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":56:15)) {
  %0 = task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/split_k_gemm.cpp":57:23)
  %1 = task.read %b : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/split_k_gemm.cpp":57:43)
  %2 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/split_k_gemm.cpp":57:63)
  %3 = tile.dot %0, %1, %2 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/split_k_gemm.cpp":57:16)
  task.write %3, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":57:75)
} loc("examples/task/split_k_gemm.cpp":56:15)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":60:17)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/split_k_gemm.cpp":60:60)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/split_k_gemm.cpp":60:60)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":60:74)
} loc("examples/task/split_k_gemm.cpp":60:17)

task.variant @shared of @share leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":61:30), reduces(add) %c: !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":61:30)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/split_k_gemm.cpp":62:55)
  task.write %0, %c : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/split_k_gemm.cpp":62:66)
} loc("examples/task/split_k_gemm.cpp":61:30)

task.mapping @split entry @grid {
  task.pin "split_k" = "atomics" loc("examples/task/split_k_gemm.cpp":65:10)
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128 of {64, 128} loc("examples/task/split_k_gemm.cpp":68:12)
    task.tune "V" = 128 of {64, 128} loc("examples/task/split_k_gemm.cpp":69:12)
    task.tune "PART" = 512 loc("examples/task/split_k_gemm.cpp":70:12)
  } loc("examples/task/split_k_gemm.cpp":66:9)
  task.instance @block runs @block on block calls [@zero, @product, @shared] {
    task.tune "W" = 64 loc("examples/task/split_k_gemm.cpp":71:59)
  } loc("examples/task/split_k_gemm.cpp":71:9)
  task.instance @product runs @product on block loc("examples/task/split_k_gemm.cpp":72:9)
  task.instance @zero runs @zero on block loc("examples/task/split_k_gemm.cpp":73:9)
  task.instance @shared runs @shared on block loc("examples/task/split_k_gemm.cpp":74:9)
} loc("examples/task/split_k_gemm.cpp":64:37)
