// What the filters' gradient is, in parts: X is images x rows x columns x channels (NHWC), as
// `forward` takes it, E is the gradient of `forward`'s result, a row for each pixel of the
// output, and D is parts x window rows x window columns x channels x outputs. The sum over D's
// parts is the gradient (`sum_parts`). A product whose reduction runs over pixels: the left operand
// is the windows' channels, turned; the right one is E. Filters are few beside pixels, so each part
// of the pixels is a tile of its own, and there are as many parts as D has.
//
//   heddle run examples/conv/weight_gradient.mlir --view x=2x14x14x32 --view e=392x64
//     --view d=4x3x3x32x64
//
// `--set stride=2`, `--set dilation=2`, `--set pad=0` and the others vary it, as they do `forward`. A part
// that begins behind the last pixel is zero. Rows of E behind the last pixel count for nothing.
// `strideH` is that of window rows alone: with 1, a window of one row and no rim, X may be what
// `im2win` makes of an image of few channels; D's channels are those of a run then.

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

tile.kernel @weight_gradient(%x: !image, %e: !tile.view<?x?x!in>, %d: !parts) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
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

  %gm = arith.ceildivui %k, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%part, %fr, %fs, %i, %j) to (%parts, %r, %s, %gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %behind = arith.muli %part, %length : index
    %first = arith.minui %behind, %m : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %step = %c0 to %length step %bk iter_args(%t = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %mm = arith.addi %first, %step : index
      %pixels = tile.load %a[%fr, %fs, %mm, %row]
        : !image -> tensor<?x?x!in, #tile.shape<"BK", "BM">>
      %channels = tile.trans %pixels, [1, 0]
        : tensor<?x?x!in, #tile.shape<"BK", "BM">> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %errors = tile.load %e[%mm, %col]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %product = tile.dot %channels, %errors, %t
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %product : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %d[%part, %fr, %fs, %row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !parts
  }
}
