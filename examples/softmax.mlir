// Y = softmax of each row of X, computed in f32. A row is one tile, so COLS must be
// at least its length.
//
//   heddle run examples/softmax.mlir --view x=300x1000 --view y=300x1000

!in = f16
!out = f16

tile.param @ROWS : {1, 2, 4, 8, 16} = 4
tile.param @COLS : {128, 256, 512, 1024, 2048, 4096, 8192} = 1024

!given = tensor<?x?x!in, #tile.shape<"ROWS", "COLS">>
!tile = tensor<?x?xf32, #tile.shape<"ROWS", "COLS">>
!result = tensor<?x?x!out, #tile.shape<"ROWS", "COLS">>
!row = tensor<?xf32, #tile.shape<"ROWS">>
!column = tensor<?x1xf32, #tile.shape<"ROWS", "">>

tile.kernel @softmax(%x: !tile.view<?x?x!in>, %y: !tile.view<?x?x!out>) {
  %rows = tile.param_value @ROWS : index
  %c0 = arith.constant 0 : index
  %lowest_s = arith.constant 0xFF800000 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?x!in>
  %n = tile.dim %x, 1 : !tile.view<?x?x!in>
  %columns = tile.param_value @COLS : index
  %fits = arith.cmpi ule, %n, %columns : index
  tile.assert %fits, "a row is one tile, so COLS must be at least its length" : i1
  %blocks = arith.ceildivui %m, %rows : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %rows : index
    %given = tile.load %x[%row, %c0] : !tile.view<?x?x!in> -> !given
    %wide = tile.cast %given : !given -> !tile

    // The view's zeros behind the end of a row would count.
    %n_i32 = arith.index_cast %n : index to i32
    %ends = tile.splat %n_i32 : i32 -> tensor<?xi32, #tile.shape<"COLS">>
    %numbers = tile.iota : tensor<?xi32, #tile.shape<"COLS">>
    %exists = arith.cmpi slt, %numbers, %ends : tensor<?xi32, #tile.shape<"COLS">>
    %exists_row = tile.expand_dims %exists, 0
      : tensor<?xi1, #tile.shape<"COLS">> -> tensor<1x?xi1, #tile.shape<"", "COLS">>
    %mask = tile.broadcast %exists_row
      : tensor<1x?xi1, #tile.shape<"", "COLS">> -> tensor<?x?xi1, #tile.shape<"ROWS", "COLS">>
    %lowest = tile.splat %lowest_s : f32 -> !tile
    %value = arith.select %mask, %wide, %lowest
      : tensor<?x?xi1, #tile.shape<"ROWS", "COLS">>, !tile

    %largest = tile.reduce %value axis 1 : !tile -> !row combine (%a: f32, %b: f32) {
      %larger = arith.maximumf %a, %b : f32
      tile.yield %larger : f32
    }
    %largest_column = tile.expand_dims %largest, 1 : !row -> !column
    %largest_tile = tile.broadcast %largest_column : !column -> !tile
    %below = arith.subf %value, %largest_tile : !tile
    %e = math.exp %below : !tile
    %sum = tile.reduce %e axis 1 : !tile -> !row combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    %sum_column = tile.expand_dims %sum, 1 : !row -> !column
    %sum_tile = tile.broadcast %sum_column : !column -> !tile
    %share = arith.divf %e, %sum_tile : !tile
    %o = tile.cast %share : !tile -> !result
    tile.store %o, %y[%row, %c0] : !result, !tile.view<?x?x!out>
  }
}
