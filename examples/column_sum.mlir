// y[n] = sum over m of X[m, n], in f32. Rows that do not exist read as zero.
//
//   heddle run examples/column_sum.mlir --view x=300x200 --view y=200

!in = f16

tile.param @BM : {16, 32, 64} = 32
tile.param @BN : {32, 64, 128} = 64

!tile = tensor<?x?xf32, #tile.shape<"BM", "BN">>

tile.kernel @column_sum(%x: !tile.view<?x?x!in>, %y: !tile.view<?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?x!in>
  %n = tile.dim %x, 1 : !tile.view<?x?x!in>
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%j) to (%gn) {
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> !tile
    %sums = scf.for %row = %c0 to %m step %bm iter_args(%s = %zero) -> (!tile) {
      %given = tile.load %x[%row, %col]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BN">>
      %wide = tile.cast %given : tensor<?x?x!in, #tile.shape<"BM", "BN">> -> !tile
      %next = arith.addf %s, %wide : !tile
      scf.yield %next : !tile
    }
    %total = tile.reduce %sums axis 0 : !tile -> tensor<?xf32, #tile.shape<"BN">>
        combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %total, %y[%col] : tensor<?xf32, #tile.shape<"BN">>, !tile.view<?xf32>
  }
}
