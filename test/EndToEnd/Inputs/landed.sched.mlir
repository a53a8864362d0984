// Linear attention in chunks by one process, with a plan in which each sum is stored behind the
// issue of the next chunk's products.
module {
  tile.kernel @chunks(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %g: !tile.ptr<f32>, %o: !tile.ptr<f32>, %s: !tile.ptr<f32>, %t: i32, %grid_x: i32) {
    %c64_i64 = arith.constant 64 : i64
    %c32_i64 = arith.constant 32 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = arith.index_cast %grid_x : i32 to index
    %1 = tile.make_view %s, [%c32, %c32], [%c32, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    %c1_1 = arith.constant 1 : index
    %2 = arith.muli %c1_1, %0 {tile.instances} : index
    %3 = tile.worker_id : index
    %4 = tile.worker_count : index
    scf.for %arg0 = %3 to %2 step %4 {
      %5 = tile.splat %cst_0 : f32 -> tensor<32x32xf32>
      %6 = tile.splat %cst : f32 -> tensor<32x32xf32>
      %7 = tile.splat %cst_0 : f32 -> tensor<64xf32>
      %8 = tile.splat %cst_0 : f32 -> tensor<64x64xf32>
      %9 = tile.splat %cst_0 : f32 -> tensor<64x32xf32>
      %12 = arith.index_cast %t : i32 to index
      %13 = scf.for %arg1 = %c0 to %12 step %c64 iter_args(%arg2 = %5) -> (tensor<32x32xf32>) {
        %14 = arith.index_cast %arg1 : index to i32
        %15 = tile.iota {sched.op = "iota"} : tensor<64xi32>
        %16 = tile.splat %14 : i32 -> tensor<64xi32>
        %17 = arith.addi %16, %15 {sched.op = "addi"} : tensor<64xi32>
        %18 = tile.expand_dims %17, 0 {sched.op = "expand_dims"} : tensor<64xi32> -> tensor<1x64xi32>
        %19 = arith.index_cast %arg1 : index to i64
        %20 = tile.ptr_add %k, %19 : !tile.ptr<f16>, i64
        %21 = arith.index_cast %t : i32 to index
        %22 = arith.extsi %t : i32 to i64
        %23 = arith.subi %22, %19 : i64
        %24 = arith.minsi %23, %c64_i64 : i64
        %25 = arith.maxsi %24, %c0_i64 : i64
        %26 = arith.index_cast %25 : i64 to index
        %27 = tile.make_view %20, [%c32, %26], [%21, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
        %28 = tile.load %27[%c0, %c0] {sched.op = "load_k"} : !tile.view<?x?xf16> -> tensor<32x64xf16>
        %29 = tile.trans %28, [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
        %30 = tile.expand_dims %17, 1 {sched.op = "expand_dims_2"} : tensor<64xi32> -> tensor<64x1xi32>
        %31 = arith.muli %19, %c32_i64 : i64
        %32 = tile.ptr_add %v, %31 : !tile.ptr<f16>, i64
        %33 = tile.make_view %32, [%26, %c32], [%c32, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
        %34 = tile.load %33[%c0, %c0] {sched.op = "load_v"} : !tile.view<?x?xf16> -> tensor<64x32xf16>
        %35 = tile.ptr_add %q, %31 : !tile.ptr<f16>, i64
        %36 = tile.make_view %35, [%26, %c32], [%c32, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
        %37 = tile.load %36[%c0, %c0] {sched.op = "load_q"} : !tile.view<?x?xf16> -> tensor<64x32xf16>
        %38 = tile.dot %37, %28, %8 {sched.op = "dot"} : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
        %39 = tile.broadcast %30 {sched.op = "broadcast"} : tensor<64x1xi32> -> tensor<64x64xi32>
        %40 = tile.broadcast %18 {sched.op = "broadcast_2"} : tensor<1x64xi32> -> tensor<64x64xi32>
        %41 = arith.cmpi sge, %39, %40 {sched.op = "cmpi"} : tensor<64x64xi32>
        %42 = arith.select %41, %38, %8 {sched.op = "select"} : tensor<64x64xi1>, tensor<64x64xf32>
        %43 = tile.cast %arg2 {sched.op = "cast"} : tensor<32x32xf32> -> tensor<32x32xf16>
        %44 = tile.stage %43 {sched.op = "cast.staged"} : tensor<32x32xf16>
        %45 = tile.dot %37, %44, %9 {sched.op = "dot_2"} : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
        %46 = tile.cast %42 {sched.op = "cast_2"} : tensor<64x64xf32> -> tensor<64x64xf16>
        %47 = tile.dot %46, %34, %45 {sched.op = "dot_3"} : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
        %48 = tile.ptr_add %o, %31 : !tile.ptr<f32>, i64
        %49 = tile.make_view %48, [%26, %c32], [%c32, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
        tile.store %47, %49[%c0, %c0] {sched.op = "store_o"} : tensor<64x32xf32>, !tile.view<?x?xf32>
        %50 = tile.ptr_add %g, %19 : !tile.ptr<f32>, i64
        %51 = tile.make_view %50, [%26], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
        %52 = tile.load %51[%c0] {sched.op = "load_g"} : !tile.view<?xf32> -> tensor<64xf32>
        %53 = math.absf %52 {sched.op = "absf"} : tensor<64xf32>
        %54 = arith.subf %7, %53 {sched.op = "subf"} : tensor<64xf32>
        %55 = math.exp2 %54 {sched.op = "exp2"} : tensor<64xf32>
        %56 = arith.mulf %arg2, %6 {sched.op = "mulf"} : tensor<32x32xf32>
        %57 = tile.expand_dims %55, 1 {sched.op = "expand_dims_3"} : tensor<64xf32> -> tensor<64x1xf32>
        %58 = tile.cast %29 {sched.op = "cast_3"} : tensor<64x32xf16> -> tensor<64x32xf32>
        %59 = tile.broadcast %57 {sched.op = "broadcast_3"} : tensor<64x1xf32> -> tensor<64x32xf32>
        %60 = arith.mulf %58, %59 {sched.op = "mulf_2"} : tensor<64x32xf32>
        %61 = tile.cast %60 {sched.op = "cast_4"} : tensor<64x32xf32> -> tensor<64x32xf16>
        %62 = tile.trans %61, [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
        %63 = tile.dot %62, %34, %56 {sched.op = "dot_4"} : tensor<32x64xf16>, tensor<64x32xf16> -> tensor<32x32xf32>
        scf.yield %63 : tensor<32x32xf32>
      } {sched.loop = "loop"}
      tile.store %13, %1[%c0, %c0] {sched.op = "store_s"} : tensor<32x32xf32>, !tile.view<?x?xf32>
    } {sched.loop = "tiles"}
  }
  sched.plan @chunks blocks 2 attributes {sched.machine = "h200"} {
    sched.process "load" warps 4 registers 24
    sched.process "mma.0" warps 4 registers 232
    sched.ring "load_k" depth 7
    sched.ring "load_v" depth 7
    sched.ring "cast.staged" depth 5
    sched.ring "load_g" depth 6
    sched.table "loop" ii 917 {
      sched.entry "iota" on "alu" start 2576 latency 1 in "mma.0"
      sched.entry "addi" on "alu" start 2729 latency 9 in "mma.0"
      sched.entry "expand_dims" on "alu" start 2738 latency 1 in "mma.0"
      sched.entry "load_k" on "tma" start 873 latency 735 in "load" via "load_k"
      sched.entry "expand_dims_2" on "alu" start 2739 latency 1 in "mma.0"
      sched.entry "load_v" on "tma" start 2052 latency 735 in "load" via "load_v"
      sched.entry "load_q" on "tma" start 1397 latency 735 in "load" via "load_k"
      sched.entry "dot" on "tensor" start 2415 latency 467 in "mma.0"
      sched.entry "broadcast" on "alu" start 2740 latency 1 in "mma.0"
      sched.entry "broadcast_2" on "alu" start 2741 latency 1 in "mma.0"
      sched.entry "cmpi" on "alu" start 2742 latency 69 in "mma.0"
      sched.entry "select" on "alu" start 2882 latency 69 in "mma.0"
      sched.entry "cast" on "alu" start 2226 latency 13 in "mma.0"
      sched.entry "cast.staged" on "alu" start 2242 latency 21 in "mma.0" via "cast.staged"
      sched.entry "dot_2" on "tensor" start 2459 latency 471 in "mma.0"
      sched.entry "cast_2" on "alu" start 3300 latency 37 in "mma.0"
      sched.entry "dot_3" on "tensor" start 3494 latency 843 in "mma.0"
      sched.entry "store_o" on "alu" start 4337 latency 69 in "mma.0"
      sched.entry "load_g" on "tma" start 742 latency 604 in "load" via "load_g"
      sched.entry "absf" on "alu" start 2258 latency 9 in "mma.0"
      sched.entry "subf" on "alu" start 2267 latency 7 in "mma.0"
      sched.entry "exp2" on "special" start 2274 latency 33 in "mma.0"
      sched.entry "mulf" on "alu" start 2234 latency 13 in "mma.0"
      sched.entry "expand_dims_3" on "alu" start 2307 latency 1 in "mma.0"
      sched.entry "cast_3" on "alu" start 2309 latency 37 in "mma.0"
      sched.entry "broadcast_3" on "alu" start 2308 latency 1 in "mma.0"
      sched.entry "mulf_2" on "alu" start 2346 latency 21 in "mma.0"
      sched.entry "cast_4" on "alu" start 2367 latency 21 in "mma.0"
      sched.entry "dot_4" on "alu" start 2946 latency 197 in "mma.0"
    }
    sched.table "tiles" ii 0 {
      sched.entry "store_s" on "store" start 0 latency 0 in "mma.0"
    }
  }
}

