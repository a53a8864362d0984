// heddle run examples/task/gemm_reduction.mlir --view a=300x200 --view b=200x520 --view c=300x520 --view y=300

task.variant @grid of @gemm_reduction inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":36:28), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":36:28), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":36:28), reads writes %y: !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":36:28)) {
  %0 = task.tunable "U" loc("examples/task/gemm_reduction.cpp":37:22)
  %1 = task.tunable "V" loc("examples/task/gemm_reduction.cpp":37:40)
  %2 = task.blocks %a by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":38:23)
  %3 = task.blocks %b by [all, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":39:23)
  %4 = task.blocks %c by [%0, %1] : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":40:23)
  %5 = task.blocks %y by [%0] : !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":41:23)
  %6 = task.count %4, 1 : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":43:28)
  %7 = arith.constant 1 : index loc("examples/task/gemm_reduction.cpp":44:22)
  %8 = arith.maxsi %6, %7 : index loc("examples/task/gemm_reduction.cpp":44:22)
  %9 = task.count %4, 0 : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":45:39)
  task.prange (%10, %11) to (%9, %8) {
    %12 = task.piece %2[%10, all] : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":46:14)
    %13 = task.piece %3[all, %11] : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":46:26)
    %14 = task.piece %4[%10, %11] : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":46:38)
    %15 = arith.constant 0 : index loc("examples/task/gemm_reduction.cpp":46:59)
    %16 = arith.cmpi eq, %11, %15 : index loc("examples/task/gemm_reduction.cpp":46:59)
    %17 = task.piece %5[%10] when %16 : !task.partition<?xf32> loc("examples/task/gemm_reduction.cpp":46:61)
    task.launch @tile(%12, %13, %14, %17) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":46:11)
  } loc("examples/task/gemm_reduction.cpp":45:30)
} loc("examples/task/gemm_reduction.cpp":36:28)

task.variant @block of @tile inner(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":49:29), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":49:29), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":49:29), writes %y: !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":49:29)) {
  %0 = task.tunable "W" loc("examples/task/gemm_reduction.cpp":50:22)
  %1 = task.extent %c, 0 : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":51:34)
  %2 = task.extent %c, 1 : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":51:47)
  %3 = task.make [%1, %2] : !task.tensor<?x?xf32> loc("examples/task/gemm_reduction.cpp":51:25)
  %4 = task.extent %c, 0 : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":52:36)
  %5 = task.make [%4] : !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":52:27)
  task.launch @clear(%3, %5) : !task.tensor<?x?xf32>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":53:10)
  %6 = task.blocks %a by [all, %0] : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":54:23)
  %7 = task.blocks %b by [%0, all] : !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":55:23)
  %8 = task.count %6, 1 : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":56:35)
  task.srange %9 to %8 {
    %10 = task.piece %6[all, %9] : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":57:14)
    %11 = task.piece %7[%9, all] : !task.partition<?x?xf16> loc("examples/task/gemm_reduction.cpp":57:26)
    task.launch @step(%10, %11, %3, %5) : !task.tensor<?x?xf16>, !task.tensor<?x?xf16>, !task.tensor<?x?xf32>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":57:11)
  } loc("examples/task/gemm_reduction.cpp":56:26)
  task.launch @store(%3, %c) : !task.tensor<?x?xf32>, !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":58:10)
  task.launch @keep(%5, %y) : !task.tensor<?xf32>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":59:9)
} loc("examples/task/gemm_reduction.cpp":49:29)

task.variant @product of @step leaf(reads %a: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":63:16), reads %b: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":63:16), reads writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm_reduction.cpp":63:16), reads writes %t: !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":63:16)) {
  %0 = task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">> loc("examples/task/gemm_reduction.cpp":64:24)
  %1 = task.read %b : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"K", "N">> loc("examples/task/gemm_reduction.cpp":65:26)
  %2 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_reduction.cpp":65:46)
  %3 = tile.dot %0, %1, %2 : tensor<?x?xf16, #tile.shape<"M", "K">>, tensor<?x?xf16, #tile.shape<"K", "N">> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_reduction.cpp":65:16)
  task.write %3, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm_reduction.cpp":65:58)
  %4 = tile.cast %0 : tensor<?x?xf16, #tile.shape<"M", "K">> -> tensor<?x?xf32, #tile.shape<"M", "K">> loc("examples/task/gemm_reduction.cpp":66:42)
  %5 = tile.reduce %4 axis 1 : tensor<?x?xf32, #tile.shape<"M", "K">> -> tensor<?xf32, #tile.shape<"M">> combine (%6: f32, %7: f32) {
    %8 = arith.addf %6, %7 : f32 loc("examples/task/gemm_reduction.cpp":66:29)
    tile.yield %8 : f32 loc("examples/task/gemm_reduction.cpp":66:29)
  } loc("examples/task/gemm_reduction.cpp":66:29)
  %9 = task.read %t : !task.tensor<?xf32> -> tensor<?xf32, #tile.shape<"M">> loc("examples/task/gemm_reduction.cpp":67:19)
  %10 = arith.addf %9, %5 : tensor<?xf32, #tile.shape<"M">> loc("examples/task/gemm_reduction.cpp":67:29)
  task.write %10, %t : tensor<?xf32, #tile.shape<"M">>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":67:29)
} loc("examples/task/gemm_reduction.cpp":63:16)

task.variant @zero of @clear leaf(writes %s: !task.tensor<?x?xf32> loc("examples/task/gemm_reduction.cpp":69:28), writes %t: !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":69:28)) {
  %0 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/gemm_reduction.cpp":70:19)
  %1 = tile.splat %0 : f32 -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_reduction.cpp":70:19)
  task.write %1, %s : tensor<?x?xf32, #tile.shape<"M", "N">>, !task.tensor<?x?xf32> loc("examples/task/gemm_reduction.cpp":70:33)
  %2 = arith.constant 0.00000000000000000e+00 : f32 loc("examples/task/gemm_reduction.cpp":71:19)
  %3 = tile.splat %2 : f32 -> tensor<?xf32, #tile.shape<"M">> loc("examples/task/gemm_reduction.cpp":71:19)
  task.write %3, %t : tensor<?xf32, #tile.shape<"M">>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":71:28)
} loc("examples/task/gemm_reduction.cpp":69:28)

task.variant @round of @store leaf(reads %s: !task.tensor<?x?xf32> loc("examples/task/gemm_reduction.cpp":73:29), writes %c: !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":73:29)) {
  %0 = task.read %s : !task.tensor<?x?xf32> -> tensor<?x?xf32, #tile.shape<"M", "N">> loc("examples/task/gemm_reduction.cpp":74:60)
  %1 = tile.cast %0 : tensor<?x?xf32, #tile.shape<"M", "N">> -> tensor<?x?xf16, #tile.shape<"M", "N">> loc("examples/task/gemm_reduction.cpp":74:53)
  task.write %1, %c : tensor<?x?xf16, #tile.shape<"M", "N">>, !task.tensor<?x?xf16> loc("examples/task/gemm_reduction.cpp":74:72)
} loc("examples/task/gemm_reduction.cpp":73:29)

task.variant @kept of @keep leaf(reads %t: !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":76:16), writes %y: !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":76:16)) {
  %0 = task.read %t : !task.tensor<?xf32> -> tensor<?xf32, #tile.shape<"M">> loc("examples/task/gemm_reduction.cpp":76:59)
  task.write %0, %y : tensor<?xf32, #tile.shape<"M">>, !task.tensor<?xf32> loc("examples/task/gemm_reduction.cpp":76:65)
} loc("examples/task/gemm_reduction.cpp":76:16)

task.mapping @two_groups entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128 loc("examples/task/gemm_reduction.cpp":83:12)
    task.tune "V" = 256 loc("examples/task/gemm_reduction.cpp":84:12)
    task.pin "order" of "b" = #tile.order<0, 1> loc("examples/task/gemm_reduction.cpp":85:13)
  } loc("examples/task/gemm_reduction.cpp":81:9)
  task.instance @block runs @block on block calls [@zero, @product, @round, @kept] {
    task.tune "W" = 64 loc("examples/task/gemm_reduction.cpp":86:64)
  } loc("examples/task/gemm_reduction.cpp":86:9)
  task.instance @product runs @product on block memories [shared, shared, none, none] loc("examples/task/gemm_reduction.cpp":87:9)
  task.instance @zero runs @zero on block loc("examples/task/gemm_reduction.cpp":88:9)
  task.instance @round runs @round on block loc("examples/task/gemm_reduction.cpp":89:9)
  task.instance @kept runs @kept on block loc("examples/task/gemm_reduction.cpp":90:9)
} loc("examples/task/gemm_reduction.cpp":80:42)
