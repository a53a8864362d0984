!t = tensor<?xf32, #tile.shape<"BN">>
!v = !tile.view<?xf32>

tile.param @BN : {256} = 256

// The functions that are made of several instructions.
tile.kernel @functions(%x: !v, %y: !v, %sinh: !v, %cosh: !v, %asinh: !v, %acosh: !v, %atanh: !v, %tan: !v, %asin: !v, %acos: !v, %atan: !v, %cbrt: !v, %log10: !v, %atan2: !v) {
  %bn = tile.param_value @BN : index
  %n = tile.dim %x, 0 : !v
  %blocks = arith.ceildivui %n, %bn : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %bn : index
    %in = tile.load %x[%first] : !v -> !t
    %across = tile.load %y[%first] : !v -> !t
    %r0 = math.sinh %in : !t
    tile.store %r0, %sinh[%first] : !t, !v
    %r1 = math.cosh %in : !t
    tile.store %r1, %cosh[%first] : !t, !v
    %r2 = math.asinh %in : !t
    tile.store %r2, %asinh[%first] : !t, !v
    %r3 = math.acosh %in : !t
    tile.store %r3, %acosh[%first] : !t, !v
    %r4 = math.atanh %in : !t
    tile.store %r4, %atanh[%first] : !t, !v
    %r5 = math.tan %in : !t
    tile.store %r5, %tan[%first] : !t, !v
    %r6 = math.asin %in : !t
    tile.store %r6, %asin[%first] : !t, !v
    %r7 = math.acos %in : !t
    tile.store %r7, %acos[%first] : !t, !v
    %r8 = math.atan %in : !t
    tile.store %r8, %atan[%first] : !t, !v
    %r9 = math.cbrt %in : !t
    tile.store %r9, %cbrt[%first] : !t, !v
    %r10 = math.log10 %in : !t
    tile.store %r10, %log10[%first] : !t, !v
    %angle = math.atan2 %in, %across : !t
    tile.store %angle, %atan2[%first] : !t, !v
  }
}
