// G = the sum of D's parts, rounded once: what `weight_gradient` leaves to be added, in the order of
// the parts, so that two launches give the same bits.
//
//   heddle run examples/conv/sum_parts.mlir --view d=4x288x64 --view g=288x64

!out = f16

tile.param @BM : {1, 2, 4, 8, 16, 32, 64} = 16
tile.param @BN : {16, 32, 64, 128} = 64

tile.kernel @sum_parts(%d: !tile.view<?x?x?xf32>, %g: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %parts = tile.dim %d, 0 : !tile.view<?x?x?xf32>
  %m = tile.dim %g, 0 : !tile.view<?x?x!out>
  %n = tile.dim %g, 1 : !tile.view<?x?x!out>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sum = scf.for %part = %c0 to %parts step %c1 iter_args(%t = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %one = tile.load %d[%part, %row, %col]
        : !tile.view<?x?x?xf32> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %more = arith.addf %t, %one : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %more : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %sum : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %g[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
