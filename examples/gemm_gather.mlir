// C = A[rows, :] . B: each row of the product is of a row of A that memory names, as the
// tokens of an expert are. A is a packed row-major array behind a pointer; a row that A
// lacks counts as zeros. B is given transposed by default.
//
//   heddle run examples/gemm_gather.mlir --view a=100x136 --view rows=1xi32
//     --view b=136x72 --view c=1x72 --scalar a_rows=100 --scalar columns=136

!in = f16
#b_order = #tile.order<0, 1>

tile.param @BM : {64, 128, 192, 256} = 64
tile.param @BN : {16 to 256 step 16} = 64
tile.param @BK : {32, 64, 128} = 64

!column = tensor<?x1xi64, #tile.shape<"BM", "">>
!offsets = tensor<?x?xi64, #tile.shape<"BM", "BK">>
!mask = tensor<?x?xi1, #tile.shape<"BM", "BK">>
!pointers = tensor<?x?x!tile.ptr<!in>, #tile.shape<"BM", "BK">>
!sum = tensor<?x?xf32, #tile.shape<"BM", "BN">>

tile.kernel @gemm_gather(%a: !tile.ptr<!in>, %rows: !tile.view<?xi32>,
                         %b: !tile.view<?x?x!in, #b_order>, %c: !tile.view<?x?x!in>,
                         %a_rows: i32, %columns: i32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %rows, 0 : !tile.view<?xi32>
  %n = tile.dim %b, 1 : !tile.view<?x?x!in, #b_order>
  %k = arith.index_cast %columns : i32 to index
  %k_i64 = arith.extsi %columns : i32 to i64
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    // Where the rows begin, and whether there are such.
    %sources = tile.load %rows[%row] : !tile.view<?xi32> -> tensor<?xi32, #tile.shape<"BM">>
    %end = tile.splat %a_rows : i32 -> tensor<?xi32, #tile.shape<"BM">>
    %exists = arith.cmpi ult, %sources, %end : tensor<?xi32, #tile.shape<"BM">>
    %exists_column = tile.expand_dims %exists, 1
      : tensor<?xi1, #tile.shape<"BM">> -> tensor<?x1xi1, #tile.shape<"BM", "">>
    %exists_tile = tile.broadcast %exists_column
      : tensor<?x1xi1, #tile.shape<"BM", "">> -> !mask
    %sources_i64 = arith.extsi %sources
      : tensor<?xi32, #tile.shape<"BM">> to tensor<?xi64, #tile.shape<"BM">>
    %pitch = tile.splat %k_i64 : i64 -> tensor<?xi64, #tile.shape<"BM">>
    %starts = arith.muli %sources_i64, %pitch : tensor<?xi64, #tile.shape<"BM">>
    %starts_column = tile.expand_dims %starts, 1 : tensor<?xi64, #tile.shape<"BM">> -> !column
    %starts_tile = tile.broadcast %starts_column : !column -> !offsets
    %iota = tile.iota : tensor<?xi64, #tile.shape<"BK">>
    %iota_row = tile.expand_dims %iota, 0
      : tensor<?xi64, #tile.shape<"BK">> -> tensor<1x?xi64, #tile.shape<"", "BK">>
    %places = tile.broadcast %iota_row : tensor<1x?xi64, #tile.shape<"", "BK">> -> !offsets
    %zero = tile.splat %f0 : f32 -> !sum
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (!sum) {
      %kk_i64 = arith.index_cast %kk : index to i64
      %first = tile.splat %kk_i64 : i64 -> !offsets
      %in_row = arith.addi %first, %places : !offsets
      %offset = arith.addi %starts_tile, %in_row : !offsets
      %base = tile.splat %a : !tile.ptr<!in> -> !pointers
      %at = tile.ptr_add %base, %offset : !pointers, !offsets
      %left = arith.subi %k_i64, %kk_i64 : i64
      %left_row = tile.splat %left : i64 -> tensor<1x?xi64, #tile.shape<"", "BK">>
      %inside_row = arith.cmpi slt, %iota_row, %left_row : tensor<1x?xi64, #tile.shape<"", "BK">>
      %inside = tile.broadcast %inside_row
        : tensor<1x?xi1, #tile.shape<"", "BK">> -> !mask
      %reads = arith.andi %exists_tile, %inside : !mask
      %x = tile.gather %at mask %reads : !mask : !pointers
        -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %y = tile.load %b[%kk, %col]
        : !tile.view<?x?x!in, #b_order> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %d = tile.dot %x, %y, %s
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">> -> !sum
      scf.yield %d : !sum
    }
    %o = tile.cast %acc : !sum -> tensor<?x?x!in, #tile.shape<"BM", "BN">>
    tile.store %o, %c[%row, %col]
      : tensor<?x?x!in, #tile.shape<"BM", "BN">>, !tile.view<?x?x!in>
  }
}
