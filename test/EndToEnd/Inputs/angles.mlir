!t = tensor<?xf32, #tile.shape<"BN">>
!v = !tile.view<?xf32>

tile.param @BN : {256} = 256

// `sign` is 1 with the sign of erf.
tile.kernel @angles(%x: !v, %sin: !v, %cos: !v, %erf: !v, %sign: !v) {
  %bn = tile.param_value @BN : index
  %one = arith.constant 1.0 : f32
  %n = tile.dim %x, 0 : !v
  %blocks = arith.ceildivui %n, %bn : index
  %ones = tile.splat %one : f32 -> !t
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %bn : index
    %in = tile.load %x[%first] : !v -> !t
    %r0 = math.sin %in : !t
    tile.store %r0, %sin[%first] : !t, !v
    %r1 = math.cos %in : !t
    tile.store %r1, %cos[%first] : !t, !v
    %r2 = math.erf %in : !t
    tile.store %r2, %erf[%first] : !t, !v
    %r3 = math.copysign %ones, %r2 : !t
    tile.store %r3, %sign[%first] : !t, !v
  }
}
