// heddle run examples/task/gemm_softmax.mlir --view a=300x200 --view b=200x100 --view c=300x100

task.variant @grid of @gemm_softmax inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":39:28), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":39:28), reads writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":39:28)) {
  %0 = task.tunable "U" loc("examples/task/gemm_softmax.cpp":40:22)
  %1 = task.tunable "V" loc("examples/task/gemm_softmax.cpp":40:40)
  %2 = task.blocks %a by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":41:23)
  %3 = task.blocks %b by [all, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":42:23)
  %4 = arith.constant 0 : index loc("examples/task/gemm_softmax.cpp":42:31)
  %5 = task.piece %3[all, %4] : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":42:31)
  %6 = task.blocks %c by [%0, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":43:23)
  %7 = task.inside %5, 1 : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":44:30)
  %8 = task.count %6, 0 : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":45:36)
  task.prange (%9) to (%8) {
    %10 = task.piece %2[%9, all] : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":46:14)
    %11 = arith.constant 0 : index loc("examples/task/gemm_softmax.cpp":46:30)
    %12 = task.piece %6[%9, %11] : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":46:30)
    task.launch @rows(%10, %5, %12, %7) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, index loc("examples/task/gemm_softmax.cpp":46:11)
  } loc("examples/task/gemm_softmax.cpp":45:27)
} loc("examples/task/gemm_softmax.cpp":39:28)

task.variant @block of @rows inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":49:29), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":49:29), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":49:29), %columns: index loc("examples/task/gemm_softmax.cpp":49:29)) {
  %0 = task.tunable "W" loc("examples/task/gemm_softmax.cpp":51:26)
  %1 = task.extent %c, 0 : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":52:38)
  %2 = task.extent %c, 1 : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":52:51)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":52:29)
  task.launch @clear(%3) : !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":53:14)
  %4 = task.blocks %a by [all, %0] : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":54:27)
  %5 = task.blocks %b by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":55:27)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":56:39)
  task.srange %7 to %6 {
    %8 = task.piece %4[all, %7] : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":57:17)
    %9 = task.piece %5[%7, all] : !task.partition<?x?xf16> loc("examples/task/gemm_softmax.cpp":57:29)
    task.launch @add(%8, %9, %3) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":57:14)
  } loc("examples/task/gemm_softmax.cpp":56:30)
  task.launch @softmax(%3, %c, %columns) : !task.tensor<?x?xf32>, !task.tensor<?x?xf16>, index loc("examples/task/gemm_softmax.cpp":58:16)
} loc("examples/task/gemm_softmax.cpp":49:29)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":62:17)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/gemm_softmax.cpp":62:60)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":62:60)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":62:74)
} loc("examples/task/gemm_softmax.cpp":62:17)

task.variant @product of @add leaf(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":64:15), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":64:15), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":64:15)) {
  %0 = task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/gemm_softmax.cpp":65:23)
  %1 = task.read %b : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/gemm_softmax.cpp":65:43)
  %2 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":65:63)
  %3 = tile.dot %0, %1, %2 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":65:16)
  task.write %3, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":65:75)
} loc("examples/task/gemm_softmax.cpp":64:15)

task.variant @shares of @softmax leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/gemm_softmax.cpp":68:19), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":68:19), %columns: index loc("examples/task/gemm_softmax.cpp":68:19)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":69:26)
  %1 = tile.iota : tensor<?xi32, #tile.shape<"N">> loc("examples/task/gemm_softmax.cpp":71:34)
  %2 = arith.index_cast %columns : index to i32 loc("examples/task/gemm_softmax.cpp":71:53)
  %3 = tile.splat %2 : i32 -> tensor<?xi32, #tile.shape<"N">> loc("examples/task/gemm_softmax.cpp":71:46)
  %4 = arith.cmpi slt, %1, %3 : tensor<?xi32, #tile.shape<"N">> loc("examples/task/gemm_softmax.cpp":71:29)
  %5 = tile.expand_dims %4, 0 : tensor<?xi1, #tile.shape<"N">> -> tensor<1x?xi1, #tile.shape<"", "N">> loc("examples/task/gemm_softmax.cpp":72:35)
  %6 = tile.broadcast %5 : tensor<1x?xi1, #tile.shape<"", "N">> -> tensor<?x?xi1, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":72:35)
  %7 = arith.constant 0xFF800000 : f32 loc("examples/task/gemm_softmax.cpp":73:39)
  %8 = tile.splat %7 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":73:39)
  %9 = arith.select %6, %0, %8 : tensor<?x?xi1, #tile.shape<"M", "N">>, tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":72:28)
  %10 = tile.reduce %9 axis 1 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?xf32, #tile.shape<"M">> combine (%11: f32, %12: f32) {
    %13 = arith.maximumf %11, %12 : f32 loc("examples/task/gemm_softmax.cpp":74:32)
    tile.yield %13 : f32 loc("examples/task/gemm_softmax.cpp":74:32)
  } loc("examples/task/gemm_softmax.cpp":74:32)
  %14 = tile.expand_dims %10, 1 : tensor<?xf32, #tile.shape<"M">> -> tensor<?x1xf32, #tile.shape<"M", "">> loc("examples/task/gemm_softmax.cpp":75:36)
  %15 = tile.broadcast %14 : tensor<?x1xf32, #tile.shape<"M", "">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":75:36)
  %16 = arith.subf %9, %15 : tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":75:52)
  %17 = math.exp %16 : tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":75:21)
  %18 = tile.reduce %17 axis 1 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?xf32, #tile.shape<"M">> combine (%19: f32, %20: f32) {
    %21 = arith.addf %19, %20 : f32 loc("examples/task/gemm_softmax.cpp":76:30)
    tile.yield %21 : f32 loc("examples/task/gemm_softmax.cpp":76:30)
  } loc("examples/task/gemm_softmax.cpp":76:30)
  %22 = tile.expand_dims %18, 1 : tensor<?xf32, #tile.shape<"M">> -> tensor<?x1xf32, #tile.shape<"M", "">> loc("examples/task/gemm_softmax.cpp":77:33)
  %23 = tile.broadcast %22 : tensor<?x1xf32, #tile.shape<"M", "">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":77:33)
  %24 = arith.divf %17, %23 : tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":77:47)
  %25 = tile.cast %24 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?xf16, #tile.shape<"M", "N">> loc("examples/task/gemm_softmax.cpp":77:22)
  task.write %25, %c : tensor<?x?xf16, #tile.shape<"M", "N">>, !task.tensor<?x?xf16> loc("examples/task/gemm_softmax.cpp":77:48)
} loc("examples/task/gemm_softmax.cpp":68:19)

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128 loc("examples/task/gemm_softmax.cpp":84:12)
    task.tune "V" = 128 loc("examples/task/gemm_softmax.cpp":85:12)
    task.pin "order" of "b" = #tile.order<0, 1> loc("examples/task/gemm_softmax.cpp":86:13)
  } loc("examples/task/gemm_softmax.cpp":82:9)
  task.instance @block runs @block on block calls [@zero, @product, @shares] {
    task.tune "W" = 64 loc("examples/task/gemm_softmax.cpp":87:59)
  } loc("examples/task/gemm_softmax.cpp":87:9)
  task.instance @zero runs @zero on block loc("examples/task/gemm_softmax.cpp":88:9)
  task.instance @product runs @product on block loc("examples/task/gemm_softmax.cpp":89:9)
  task.instance @shares runs @shares on block loc("examples/task/gemm_softmax.cpp":90:9)
} loc("examples/task/gemm_softmax.cpp":81:42)
