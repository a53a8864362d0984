// Y[to[i], :] = X[from[i], :], rows found by number: an embedding look-up that also
// scatters. X and Y are packed row-major arrays behind pointers. A row of Y that
// no `to` names keeps what it held, a `from` that X lacks gives zeros, a `to` that
// Y lacks is dropped. Of two equal `to` either may win; random ones are often
// equal, so the run here has one.
//
//   heddle run examples/gather_rows.mlir --view x=100x64 --view from=1xi32
//     --view to=1xi32 --view y=300x64 --scalar x_rows=100 --scalar y_rows=300
//     --scalar columns=64

!t = f16

tile.param @BM : {16, 32, 64} = 16
tile.param @BN : {32, 64, 128} = 64

!numbers = tensor<?xi32, #tile.shape<"BM">>
!column = tensor<?x1xi64, #tile.shape<"BM", "">>
!offsets = tensor<?x?xi64, #tile.shape<"BM", "BN">>
!mask = tensor<?x?xi1, #tile.shape<"BM", "BN">>
!pointers = tensor<?x?x!tile.ptr<!t>, #tile.shape<"BM", "BN">>
!tile = tensor<?x?x!t, #tile.shape<"BM", "BN">>

tile.kernel @gather_rows(%x: !tile.ptr<!t>, %from: !tile.view<?xi32>,
                         %to: !tile.view<?xi32>, %y: !tile.ptr<!t>,
                         %x_rows: i32, %y_rows: i32, %columns: i32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0_i32 = arith.constant 0 : i32
  %m = tile.dim %from, 0 : !tile.view<?xi32>
  %m_i32 = arith.index_cast %m : index to i32
  %n = arith.index_cast %columns : i32 to index
  %n_i64 = arith.extsi %columns : i32 to i64
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %sources = tile.load %from[%row] : !tile.view<?xi32> -> !numbers
    %targets = tile.load %to[%row] : !tile.view<?xi32> -> !numbers

    // Which of the tile's rows and columns there are.
    %row_i32 = arith.index_cast %row : index to i32
    %rows_left = arith.subi %m_i32, %row_i32 : i32
    %rows_end = tile.splat %rows_left : i32 -> !numbers
    %row_iota = tile.iota : !numbers
    %listed = arith.cmpi slt, %row_iota, %rows_end : !numbers
    %col_i32 = arith.index_cast %col : index to i32
    %col_start = tile.splat %col_i32 : i32 -> tensor<?xi32, #tile.shape<"BN">>
    %col_iota = tile.iota : tensor<?xi32, #tile.shape<"BN">>
    %cols = arith.addi %col_start, %col_iota : tensor<?xi32, #tile.shape<"BN">>
    %cols_end = tile.splat %columns : i32 -> tensor<?xi32, #tile.shape<"BN">>
    %col_exists = arith.cmpi slt, %cols, %cols_end : tensor<?xi32, #tile.shape<"BN">>
    %col_exists_row = tile.expand_dims %col_exists, 0
      : tensor<?xi1, #tile.shape<"BN">> -> tensor<1x?xi1, #tile.shape<"", "BN">>
    %col_mask = tile.broadcast %col_exists_row
      : tensor<1x?xi1, #tile.shape<"", "BN">> -> !mask
    %cols_i64 = arith.extsi %cols
      : tensor<?xi32, #tile.shape<"BN">> to tensor<?xi64, #tile.shape<"BN">>
    %cols_row = tile.expand_dims %cols_i64, 0
      : tensor<?xi64, #tile.shape<"BN">> -> tensor<1x?xi64, #tile.shape<"", "BN">>
    %cols_tile = tile.broadcast %cols_row
      : tensor<1x?xi64, #tile.shape<"", "BN">> -> !offsets
    %pitch = tile.splat %n_i64 : i64 -> tensor<?xi64, #tile.shape<"BM">>

    // Read; an unsigned comparison rules out numbers below 0 too.
    %x_end = tile.splat %x_rows : i32 -> !numbers
    %in_x = arith.cmpi ult, %sources, %x_end : !numbers
    %readable = arith.andi %in_x, %listed : tensor<?xi1, #tile.shape<"BM">>
    %readable_column = tile.expand_dims %readable, 1
      : tensor<?xi1, #tile.shape<"BM">> -> tensor<?x1xi1, #tile.shape<"BM", "">>
    %readable_rows = tile.broadcast %readable_column
      : tensor<?x1xi1, #tile.shape<"BM", "">> -> !mask
    %reads = arith.andi %readable_rows, %col_mask : !mask
    %sources_i64 = arith.extsi %sources : !numbers to tensor<?xi64, #tile.shape<"BM">>
    %x_starts = arith.muli %sources_i64, %pitch : tensor<?xi64, #tile.shape<"BM">>
    %x_column = tile.expand_dims %x_starts, 1 : tensor<?xi64, #tile.shape<"BM">> -> !column
    %x_rows_tile = tile.broadcast %x_column : !column -> !offsets
    %x_offsets = arith.addi %x_rows_tile, %cols_tile : !offsets
    %x_base = tile.splat %x : !tile.ptr<!t> -> !pointers
    %x_at = tile.ptr_add %x_base, %x_offsets : !pointers, !offsets
    %value = tile.gather %x_at mask %reads : !mask : !pointers -> !tile

    // Write.
    %y_end = tile.splat %y_rows : i32 -> !numbers
    %in_y = arith.cmpi ult, %targets, %y_end : !numbers
    %writable = arith.andi %in_y, %listed : tensor<?xi1, #tile.shape<"BM">>
    %writable_column = tile.expand_dims %writable, 1
      : tensor<?xi1, #tile.shape<"BM">> -> tensor<?x1xi1, #tile.shape<"BM", "">>
    %writable_rows = tile.broadcast %writable_column
      : tensor<?x1xi1, #tile.shape<"BM", "">> -> !mask
    %writes = arith.andi %writable_rows, %col_mask : !mask
    %targets_i64 = arith.extsi %targets : !numbers to tensor<?xi64, #tile.shape<"BM">>
    %y_starts = arith.muli %targets_i64, %pitch : tensor<?xi64, #tile.shape<"BM">>
    %y_column = tile.expand_dims %y_starts, 1 : tensor<?xi64, #tile.shape<"BM">> -> !column
    %y_rows_tile = tile.broadcast %y_column : !column -> !offsets
    %y_offsets = arith.addi %y_rows_tile, %cols_tile : !offsets
    %y_base = tile.splat %y : !tile.ptr<!t> -> !pointers
    %y_at = tile.ptr_add %y_base, %y_offsets : !pointers, !offsets
    tile.scatter %value, %y_at mask %writes : !mask : !tile, !pointers
  }
}
