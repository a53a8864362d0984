// Products whose rows are stored where memory says, as those of experts or sequences of a
// batch: item i has rows first[i] to first[i + 1] of C. A launch cannot make C's view, so
// threads store it: whole pieces of rows where base, stride and width allow that, else
// element by element.
tile.param @BK : {16, 32, 64} = 64
!a = tensor<64x?xf16, #tile.shape<"", "BK">>
!b = tensor<?x64xf16, #tile.shape<"BK", "">>
!sums = tensor<64x64xf32>
!c = tensor<64x64xf16>
tile.kernel @rows_to_memory(%a: !tile.view<?x?xf16>, %first: !tile.ptr<i32>, %b: !tile.view<?x?xf16>,
                            %c: !tile.ptr<f16>, %rows: i32, %width: i32, %stride: i32, %skip: i32) {
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %items = arith.index_cast %rows : i32 to index
  %ks = tile.dim %a, 1 : !tile.view<?x?xf16>
  %columns = arith.index_cast %width : i32 to index
  %step = arith.index_cast %stride : i32 to index
  tile.parallel (%item) to (%items) {
    %number = arith.index_cast %item : index to i32
    %place = tile.ptr_add %first, %number : !tile.ptr<i32>, i32
    %begin = tile.gather %place : !tile.ptr<i32> -> i32
    %behind = tile.ptr_add %place, %one : !tile.ptr<i32>, i32
    %end = tile.gather %behind : !tile.ptr<i32> -> i32
    %count32 = arith.subi %end, %begin : i32
    %count = arith.index_cast %count32 : i32 to index
    %offset = arith.muli %begin, %stride : i32
    %at = arith.addi %offset, %skip : i32
    %start = tile.ptr_add %c, %at : !tile.ptr<f16>, i32
    %view = tile.make_view %start, [%count, %columns], [%step, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %row = arith.muli %item, %c64 : index
    %zero = tile.splat %f0 : f32 -> !sums
    %sum = scf.for %kk = %c0 to %ks step %bk iter_args(%acc = %zero) -> (!sums) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> !a
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> !b
      %d = tile.dot %x, %y, %acc : !a, !b -> !sums
      scf.yield %d : !sums
    }
    %narrow = tile.cast %sum : !sums -> !c
    tile.store %narrow, %view[%c0, %c0] : !c, !tile.view<?x?xf16>
  }
}
