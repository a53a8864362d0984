// Y = X^T, both row-major.
//
//   heddle run examples/transpose.mlir --view x=300x200 --view y=200x300

!t = f16

tile.param @BM : {32, 64, 128} = 64
tile.param @BN : {32, 64, 128} = 64

tile.kernel @transpose(%x: !tile.view<?x?x!t>, %y: !tile.view<?x?x!t>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %m = tile.dim %x, 0 : !tile.view<?x?x!t>
  %n = tile.dim %x, 1 : !tile.view<?x?x!t>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %tile = tile.load %x[%row, %col]
      : !tile.view<?x?x!t> -> tensor<?x?x!t, #tile.shape<"BM", "BN">>
    %turned = tile.trans %tile, [1, 0]
      : tensor<?x?x!t, #tile.shape<"BM", "BN">> -> tensor<?x?x!t, #tile.shape<"BN", "BM">>
    tile.store %turned, %y[%col, %row]
      : tensor<?x?x!t, #tile.shape<"BN", "BM">>, !tile.view<?x?x!t>
  }
}
