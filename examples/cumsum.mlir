// Y[m, n] = sum of X[m, 0..n], in f32: each tile's scan starts from the sum of the
// columns before it.
//
//   heddle run examples/cumsum.mlir --view x=300x1000 --view y=300x1000

!in = f32
!out = f32

tile.param @BM : {4, 8, 16, 64} = 8
tile.param @BN : {32, 64, 128, 256} = 128

!tile = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!row = tensor<?xf32, #tile.shape<"BM">>

tile.kernel @cumsum(%x: !tile.view<?x?x!in>, %y: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %x, 0 : !tile.view<?x?x!in>
  %n = tile.dim %x, 1 : !tile.view<?x?x!in>
  %blocks = arith.ceildivui %m, %bm : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %bm : index
    %zero = tile.splat %f0 : f32 -> !row
    %all = scf.for %col = %c0 to %n step %bn iter_args(%before = %zero) -> (!row) {
      %given = tile.load %x[%row, %col]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BN">>
      %wide = tile.cast %given : tensor<?x?x!in, #tile.shape<"BM", "BN">> -> !tile
      %sums = tile.scan %wide axis 1 : !tile -> !tile combine (%a: f32, %b: f32) {
        %both = arith.addf %a, %b : f32
        tile.yield %both : f32
      }
      %total = tile.reduce %wide axis 1 : !tile -> !row combine (%a: f32, %b: f32) {
        %both = arith.addf %a, %b : f32
        tile.yield %both : f32
      }
      %before_column = tile.expand_dims %before, 1
        : !row -> tensor<?x1xf32, #tile.shape<"BM", "">>
      %before_tile = tile.broadcast %before_column
        : tensor<?x1xf32, #tile.shape<"BM", "">> -> !tile
      %from_start = arith.addf %sums, %before_tile : !tile
      %o = tile.cast %from_start : !tile -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
      tile.store %o, %y[%row, %col]
        : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
      %after = arith.addf %before, %total : !row
      scf.yield %after : !row
    }
  }
}
