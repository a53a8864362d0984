!t = i32

tile.param @BN : {256} = 256

tile.kernel @bit_reverse(%x: !tile.view<?x!t>, %y: !tile.view<?x!t>) {
  %bn = tile.param_value @BN : index
  %n = tile.dim %x, 0 : !tile.view<?x!t>
  %blocks = arith.ceildivui %n, %bn : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %bn : index
    %in = tile.load %x[%first] : !tile.view<?x!t> -> tensor<?x!t, #tile.shape<"BN">>
    %out = tile.bit_reverse %in : tensor<?x!t, #tile.shape<"BN">>
    tile.store %out, %y[%first] : tensor<?x!t, #tile.shape<"BN">>, !tile.view<?x!t>
  }
}
