// y with y + exp(y) = x, by Newton's method, until no element of the tile moves by
// more than `tolerance`. y + exp(y) is convex and rising, so from a start above the
// root every step goes down towards it: x itself, or log x, which is less for x > 1.
// NaN and infinities stay what they are.
//
//   heddle run examples/wright_omega.mlir --view x=10000 --view y=10000
//     --scalar tolerance=0.00001

!t = f32

tile.param @BN : {128, 256, 512, 1024, 2048} = 512

!tile = tensor<?xf32, #tile.shape<"BN">>
!mask = tensor<?xi1, #tile.shape<"BN">>

tile.kernel @wright_omega(%x: !tile.view<?x!t>, %y: !tile.view<?x!t>, %tolerance: f32) {
  %bn = tile.param_value @BN : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %n = tile.dim %x, 0 : !tile.view<?x!t>
  %blocks = arith.ceildivui %n, %bn : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %bn : index
    %given = tile.load %x[%first] : !tile.view<?x!t> -> tensor<?x!t, #tile.shape<"BN">>
    %wide = tile.cast %given : tensor<?x!t, #tile.shape<"BN">> -> !tile
    %zero = tile.splat %f0 : f32 -> !tile
    %one = tile.splat %f1 : f32 -> !tile
    %above_one = arith.maxnumf %wide, %one : !tile
    %log = math.log %above_one : !tile
    %large = arith.cmpf ogt, %wide, %one : !tile
    %start = arith.select %large, %log, %wide : !mask, !tile

    %root, %last_move = scf.while (%v = %start, %moved = %infinity)
        : (!tile, f32) -> (!tile, f32) {
      %goes_on = arith.cmpf ogt, %moved, %tolerance : f32
      scf.condition(%goes_on) %v, %moved : !tile, f32
    } do {
    ^bb0(%v: !tile, %moved: f32):
      %e = math.exp %v : !tile
      %sum = arith.addf %v, %e : !tile
      %error = arith.subf %sum, %wide : !tile
      %slope = arith.addf %one, %e : !tile
      %newton = arith.divf %error, %slope : !tile
      %is_number = arith.cmpf ord, %newton, %newton : !tile
      %step = arith.select %is_number, %newton, %zero : !mask, !tile
      %next = arith.subf %v, %step : !tile
      %size = math.absf %step : !tile
      %largest = tile.reduce %size axis 0 : !tile -> f32 combine (%a: f32, %b: f32) {
        %larger = arith.maximumf %a, %b : f32
        tile.yield %larger : f32
      }
      scf.yield %next, %largest : !tile, f32
    }
    %o = tile.cast %root : !tile -> tensor<?x!t, #tile.shape<"BN">>
    tile.store %o, %y[%first] : tensor<?x!t, #tile.shape<"BN">>, !tile.view<?x!t>
  }
}
