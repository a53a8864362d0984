// Products of rows whose first one and number stand in memory, as experts or sequences
// of a batch have them: item i multiplies rows first[i] to first[i + 1] of A by B. A launch
// cannot make A's view, so threads copy it: 16 bytes at a time while they do other things
// where base and stride are aligned, else element by element.
tile.param @BM : {64, 128} = 64
tile.param @BK : {16, 32, 64} = 64
!a = tensor<?x?xf16, #tile.shape<"BM", "BK">>
!b = tensor<?x64xf16, #tile.shape<"BK", "">>
!sums = tensor<?x64xf32, #tile.shape<"BM", "">>
tile.kernel @rows_from_memory(%a: !tile.ptr<f16>, %first: !tile.ptr<i32>, %b: !tile.view<?x?xf16>,
                              %c: !tile.view<?x?x?xf32>, %k: i32, %stride: i32, %skip: i32) {
  %bm = tile.param_value @BM : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %items = tile.dim %c, 0 : !tile.view<?x?x?xf32>
  %rows = tile.dim %c, 1 : !tile.view<?x?x?xf32>
  %ks = arith.index_cast %k : i32 to index
  %step = arith.index_cast %stride : i32 to index
  %gm = arith.ceildivui %rows, %bm : index
  tile.parallel (%item, %i) to (%items, %gm) {
    %number = arith.index_cast %item : index to i32
    %place = tile.ptr_add %first, %number : !tile.ptr<i32>, i32
    %begin = tile.gather %place : !tile.ptr<i32> -> i32
    %behind = tile.ptr_add %place, %one : !tile.ptr<i32>, i32
    %end = tile.gather %behind : !tile.ptr<i32> -> i32
    %count32 = arith.subi %end, %begin : i32
    %count = arith.index_cast %count32 : i32 to index
    %offset = arith.muli %begin, %stride : i32
    %at = arith.addi %offset, %skip : i32
    %start = tile.ptr_add %a, %at : !tile.ptr<f16>, i32
    %view = tile.make_view %start, [%count, %ks], [%step, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %row = arith.muli %i, %bm : index
    %zero = tile.splat %f0 : f32 -> !sums
    %sum = scf.for %kk = %c0 to %ks step %bk iter_args(%acc = %zero) -> (!sums) {
      %x = tile.load %view[%row, %kk] : !tile.view<?x?xf16> -> !a
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> !b
      %d = tile.dot %x, %y, %acc : !a, !b -> !sums
      scf.yield %d : !sums
    }
    tile.store %sum, %c[%item, %row, %c0] : !sums, !tile.view<?x?x?xf32>
  }
}
