// Rows from memory, as in rows-from-memory.mlir, of which each tap of a filter reads those
// one further on: one loop goes through all taps and all steps of a tap, so that quotients
// and remainders of its number say where a tile begins.
tile.param @BK : {32, 64} = 64
!a = tensor<64x?xf16, #tile.shape<"", "BK">>
!b = tensor<?x64xf16, #tile.shape<"BK", "">>
!sums = tensor<64x64xf32>
tile.kernel @taps_from_memory(%a: !tile.ptr<f16>, %first: !tile.ptr<i32>, %b: !tile.view<?x?x?xf16>,
                              %c: !tile.view<?x?x?xf32>, %k: i32, %stride: i32) {
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %items = tile.dim %c, 0 : !tile.view<?x?x?xf32>
  %rows = tile.dim %c, 1 : !tile.view<?x?x?xf32>
  %taps = tile.dim %b, 0 : !tile.view<?x?x?xf16>
  %ks = arith.index_cast %k : i32 to index
  %step = arith.index_cast %stride : i32 to index
  %steps = arith.ceildivui %ks, %bk : index
  %all = arith.muli %taps, %steps : index
  %gm = arith.ceildivui %rows, %c64 : index
  tile.parallel (%item, %i) to (%items, %gm) {
    %number = arith.index_cast %item : index to i32
    %place = tile.ptr_add %first, %number : !tile.ptr<i32>, i32
    %begin = tile.gather %place : !tile.ptr<i32> -> i32
    %behind = tile.ptr_add %place, %one : !tile.ptr<i32>, i32
    %end = tile.gather %behind : !tile.ptr<i32> -> i32
    %count32 = arith.subi %end, %begin : i32
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> !sums
    %sum = scf.for %s = %c0 to %all step %c1 iter_args(%acc = %zero) -> (!sums) {
      %tap = arith.divui %s, %steps : index
      %turn = arith.remui %s, %steps : index
      %kk = arith.muli %turn, %bk : index
      %tap32 = arith.index_cast %tap : index to i32
      %from = arith.addi %begin, %tap32 : i32
      %offset = arith.muli %from, %stride : i32
      %start = tile.ptr_add %a, %offset : !tile.ptr<f16>, i32
      %left32 = arith.subi %count32, %tap32 : i32
      %none = arith.constant 0 : i32
      %some = arith.maxsi %left32, %none : i32
      %count = arith.index_cast %some : i32 to index
      %view = tile.make_view %start, [%count, %ks], [%step, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
      %x = tile.load %view[%row, %kk] : !tile.view<?x?xf16> -> !a
      %y = tile.load %b[%tap, %kk, %c0] : !tile.view<?x?x?xf16> -> !b
      %d = tile.dot %x, %y, %acc : !a, !b -> !sums
      scf.yield %d : !sums
    }
    tile.store %sum, %c[%item, %row, %c0] : !sums, !tile.view<?x?x?xf32>
  }
}
