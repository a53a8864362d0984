// y = silu(a) * b, element by element, computed in f32; silu(x) = x / (1 + exp(-x)).
//
//   heddle run examples/silu_mul.mlir --view a=10000 --view b=10000 --view y=10000

!t = f16

tile.param @BN : {256, 512, 1024, 2048, 4096} = 1024

!tile = tensor<?xf32, #tile.shape<"BN">>

tile.kernel @silu_mul(%a: !tile.view<?x!t>, %b: !tile.view<?x!t>, %y: !tile.view<?x!t>) {
  %bn = tile.param_value @BN : index
  %one_s = arith.constant 1.0 : f32
  %n = tile.dim %a, 0 : !tile.view<?x!t>
  %blocks = arith.ceildivui %n, %bn : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %bn : index
    %a_in = tile.load %a[%first] : !tile.view<?x!t> -> tensor<?x!t, #tile.shape<"BN">>
    %b_in = tile.load %b[%first] : !tile.view<?x!t> -> tensor<?x!t, #tile.shape<"BN">>
    %gate = tile.cast %a_in : tensor<?x!t, #tile.shape<"BN">> -> !tile
    %up = tile.cast %b_in : tensor<?x!t, #tile.shape<"BN">> -> !tile
    %one = tile.splat %one_s : f32 -> !tile
    %minus = arith.negf %gate : !tile
    %e = math.exp %minus : !tile
    %below = arith.addf %one, %e : !tile
    %silu = arith.divf %gate, %below : !tile
    %g = arith.mulf %silu, %up : !tile
    %o = tile.cast %g : !tile -> tensor<?x!t, #tile.shape<"BN">>
    tile.store %o, %y[%first] : tensor<?x!t, #tile.shape<"BN">>, !tile.view<?x!t>
  }
}
