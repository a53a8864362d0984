// Y = (X - mean) * rstd * weight + bias for each row, rstd = 1 / sqrt(variance + eps),
// computed in f32; mean and rstd are results too, because a backward pass wants them.
// A row is one tile, so COLS must be at least its length.
//
//   heddle run examples/layer_norm.mlir --view x=300x1000 --view weight=1000
//     --view bias=1000 --view y=300x1000 --view mean=300 --view rstd=300
//     --scalar eps=0.00001

!in = f16
!out = f16

tile.param @ROWS : {1, 2, 4, 8, 16} = 4
tile.param @COLS : {128, 256, 512, 1024, 2048, 4096, 8192} = 1024

!given = tensor<?x?x!in, #tile.shape<"ROWS", "COLS">>
!tile = tensor<?x?xf32, #tile.shape<"ROWS", "COLS">>
!result = tensor<?x?x!out, #tile.shape<"ROWS", "COLS">>
!row = tensor<?xf32, #tile.shape<"ROWS">>
!column = tensor<?x1xf32, #tile.shape<"ROWS", "">>
!affine = tensor<?xf32, #tile.shape<"COLS">>
!affine_row = tensor<1x?xf32, #tile.shape<"", "COLS">>

tile.kernel @layer_norm(%x: !tile.view<?x?x!in>, %weight: !tile.view<?x!in>,
                        %bias: !tile.view<?x!in>, %y: !tile.view<?x?x!out>,
                        %mean: !tile.view<?xf32>, %rstd: !tile.view<?xf32>, %eps: f32) {
  %rows = tile.param_value @ROWS : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?x!in>
  %n = tile.dim %x, 1 : !tile.view<?x?x!in>
  %n_i32 = arith.index_cast %n : index to i32
  %n_f32 = arith.sitofp %n_i32 : i32 to f32
  %inverse_n = arith.divf %f1, %n_f32 : f32
  %columns = tile.param_value @COLS : index
  %fits = arith.cmpi ule, %n, %columns : index
  tile.assert %fits, "a row is one tile, so COLS must be at least its length" : i1
  %blocks = arith.ceildivui %m, %rows : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %rows : index
    %given = tile.load %x[%row, %c0] : !tile.view<?x?x!in> -> !given
    %value = tile.cast %given : !given -> !tile

    // Zeros behind the end of a row add nothing to its sum.
    %inverse = tile.splat %inverse_n : f32 -> !row
    %sum = tile.reduce %value axis 1 : !tile -> !row combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    %average = arith.mulf %sum, %inverse : !row
    %average_column = tile.expand_dims %average, 1 : !row -> !column
    %average_tile = tile.broadcast %average_column : !column -> !tile
    %from_mean = arith.subf %value, %average_tile : !tile

    // But their distance from the mean would add to the variance.
    %ends = tile.splat %n_i32 : i32 -> tensor<?xi32, #tile.shape<"COLS">>
    %numbers = tile.iota : tensor<?xi32, #tile.shape<"COLS">>
    %exists = arith.cmpi slt, %numbers, %ends : tensor<?xi32, #tile.shape<"COLS">>
    %exists_row = tile.expand_dims %exists, 0
      : tensor<?xi1, #tile.shape<"COLS">> -> tensor<1x?xi1, #tile.shape<"", "COLS">>
    %mask = tile.broadcast %exists_row
      : tensor<1x?xi1, #tile.shape<"", "COLS">> -> tensor<?x?xi1, #tile.shape<"ROWS", "COLS">>
    %zeros = tile.splat %f0 : f32 -> !tile
    %distance = arith.select %mask, %from_mean, %zeros
      : tensor<?x?xi1, #tile.shape<"ROWS", "COLS">>, !tile
    %square = arith.mulf %distance, %distance : !tile
    %squares = tile.reduce %square axis 1 : !tile -> !row combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    %variance = arith.mulf %squares, %inverse : !row
    %eps_row = tile.splat %eps : f32 -> !row
    %safe = arith.addf %variance, %eps_row : !row
    %scale = math.rsqrt %safe : !row
    %scale_column = tile.expand_dims %scale, 1 : !row -> !column
    %scale_tile = tile.broadcast %scale_column : !column -> !tile
    %normal = arith.mulf %distance, %scale_tile : !tile

    %weight_in = tile.load %weight[%c0] : !tile.view<?x!in> -> tensor<?x!in, #tile.shape<"COLS">>
    %bias_in = tile.load %bias[%c0] : !tile.view<?x!in> -> tensor<?x!in, #tile.shape<"COLS">>
    %weight_f32 = tile.cast %weight_in : tensor<?x!in, #tile.shape<"COLS">> -> !affine
    %bias_f32 = tile.cast %bias_in : tensor<?x!in, #tile.shape<"COLS">> -> !affine
    %weight_row = tile.expand_dims %weight_f32, 0 : !affine -> !affine_row
    %bias_row = tile.expand_dims %bias_f32, 0 : !affine -> !affine_row
    %weight_tile = tile.broadcast %weight_row : !affine_row -> !tile
    %bias_tile = tile.broadcast %bias_row : !affine_row -> !tile
    %weighted = arith.mulf %normal, %weight_tile : !tile
    %shifted = arith.addf %weighted, %bias_tile : !tile

    %o = tile.cast %shifted : !tile -> !result
    tile.store %o, %y[%row, %c0] : !result, !tile.view<?x?x!out>
    tile.store %average, %mean[%row] : !row, !tile.view<?xf32>
    tile.store %scale, %rstd[%row] : !row, !tile.view<?xf32>
  }
}
