// What `weight_gradient` computes, with three window columns an instance: they share what is loaded
// of E, which counts where channels are few, as then a tile of E is larger than one of X. D and
// the rest are as there.
//
//   heddle run examples/conv/weight_gradient_row.mlir --view x=2x14x14x32 --view e=392x64
//     --view d=4x3x3x32x64
//
// Window columns behind the last one are zero, and not stored.

!in = f16
!out = f32
#stride = 1 : i64
#strideH = #stride
#dilation = 1 : i64
#dilationH = #dilation
#pad = 1 : index
#padH = #pad
#end = #pad
#endH = #padH

tile.param @BM : {64 to 256 step 64} = 64
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!parts = !tile.view<?x?x?x?x?x!out>
!sum = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!stored = tensor<?x?x!out, #tile.shape<"BM", "BN">>

tile.kernel @weight_gradient_row(%x: !image, %e: !tile.view<?x?x!in>, %d: !parts) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f32
  %pad = arith.constant #pad
  %padH = arith.constant #padH
  %end = arith.constant #end
  %endH = arith.constant #endH
  %stride64 = arith.constant #stride
  %stride = arith.index_cast %stride64 : i64 to index
  %strideH64 = arith.constant #strideH
  %strideH = arith.index_cast %strideH64 : i64 to index
  %dilation64 = arith.constant #dilation
  %dilation = arith.index_cast %dilation64 : i64 to index
  %dilationH64 = arith.constant #dilationH
  %dilationH = arith.index_cast %dilationH64 : i64 to index
  %h = tile.dim %x, 1 : !image
  %w = tile.dim %x, 2 : !image
  %m = tile.dim %e, 0 : !tile.view<?x?x!in>
  %parts = tile.dim %d, 0 : !parts
  %r = tile.dim %d, 1 : !parts
  %s = tile.dim %d, 2 : !parts
  %k = tile.dim %d, 3 : !parts
  %n = tile.dim %d, 4 : !parts

  // How many windows fit: none where one is larger than the image with its rim.
  %rimH = arith.addi %padH, %endH : index
  %rimW = arith.addi %pad, %end : index
  %moreH = arith.addi %rimH, %strideH : index
  %moreW = arith.addi %rimW, %stride : index
  %r1 = arith.subi %r, %c1 : index
  %s1 = arith.subi %s, %c1 : index
  %spanR = arith.muli %r1, %dilationH : index
  %spanS = arith.muli %s1, %dilation : index
  %lastR = arith.addi %spanR, %c1 : index
  %lastS = arith.addi %spanS, %c1 : index
  %highH = arith.addi %h, %moreH : index
  %highW = arith.addi %w, %moreW : index
  %freeH = arith.subi %highH, %lastR : index
  %freeW = arith.subi %highW, %lastS : index
  %placesH = arith.maxsi %freeH, %c0 : index
  %placesW = arith.maxsi %freeW, %c0 : index
  %p = arith.divui %placesH, %strideH : index
  %q = arith.divui %placesW, %stride : index

  // Window row, window column, image, row and column of the output, channel.
  %rows = tile.window %x axis 1 extent %p, window 0 extent %r, low %padH
    {stride = #strideH, dilation = #dilationH}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %q, window 1 extent %s, low %pad
    {stride = #stride, dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !image

  // Parts are equally long, in whole steps; behind the last pixel E is zero.
  %steps = arith.ceildivui %m, %bk : index
  %share = arith.ceildivui %steps, %parts : index
  %length = arith.muli %share, %bk : index

  %c3 = arith.constant 3 : index
  %gs = arith.ceildivui %s, %c3 : index
  %gm = arith.ceildivui %k, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%part, %fr, %group, %i, %j) to (%parts, %r, %gs, %gm, %gn) {
    %fs0 = arith.muli %group, %c3 : index
    %fs1 = arith.addi %fs0, %c1 : index
    %fs2 = arith.addi %fs0, %c2 : index
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %behind = arith.muli %part, %length : index
    %first = arith.minui %behind, %m : index
    %zero = tile.splat %f0 : f32 -> !sum
    %acc:3 = scf.for %step = %c0 to %length step %bk
        iter_args(%t0 = %zero, %t1 = %zero, %t2 = %zero) -> (!sum, !sum, !sum) {
      %mm = arith.addi %first, %step : index
      %errors = tile.load %e[%mm, %col]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %pixels0 = tile.load %a[%fr, %fs0, %mm, %row]
        : !image -> tensor<?x?x!in, #tile.shape<"BK", "BM">>
      %channels0 = tile.trans %pixels0, [1, 0]
        : tensor<?x?x!in, #tile.shape<"BK", "BM">> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %product0 = tile.dot %channels0, %errors, %t0
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> !sum
      %pixels1 = tile.load %a[%fr, %fs1, %mm, %row]
        : !image -> tensor<?x?x!in, #tile.shape<"BK", "BM">>
      %channels1 = tile.trans %pixels1, [1, 0]
        : tensor<?x?x!in, #tile.shape<"BK", "BM">> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %product1 = tile.dot %channels1, %errors, %t1
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> !sum
      %pixels2 = tile.load %a[%fr, %fs2, %mm, %row]
        : !image -> tensor<?x?x!in, #tile.shape<"BK", "BM">>
      %channels2 = tile.trans %pixels2, [1, 0]
        : tensor<?x?x!in, #tile.shape<"BK", "BM">> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %product2 = tile.dot %channels2, %errors, %t2
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> !sum
      scf.yield %product0, %product1, %product2 : !sum, !sum, !sum
    }
    %o0 = tile.cast %acc#0 : !sum -> !stored
    %o1 = tile.cast %acc#1 : !sum -> !stored
    %o2 = tile.cast %acc#2 : !sum -> !stored
    tile.store %o0, %d[%part, %fr, %fs0, %row, %col] : !stored, !parts
    tile.store %o1, %d[%part, %fr, %fs1, %row, %col] : !stored, !parts
    tile.store %o2, %d[%part, %fr, %fs2, %row, %col] : !stored, !parts
  }
}
