// What the filters' gradient is, in parts, of windows without rim or dilation along a row: columns
// and channels of a window's row are one run in memory, as `rows` has them, so that a tile takes
// places and channels alike, and E is read once for all that a tile holds. D is parts x window
// rows x (columns and channels of a window) x outputs; the sum over its parts is the gradient
// (`sum_parts`).
//
//   heddle run examples/conv/weight_gradient_rows.mlir --view x=12544 --scalar images=2
//     --scalar h=14 --scalar w=14 --scalar c=32 --scalar window=3 --view e=288x64
//     --view d=4x3x96x64
//
// `--set stride=2` sets both directions; `strideH` and `dilationH` the windows' rows alone. With
// one window row of a step of 1 it takes what `im2win` makes of an image of few channels. A part
// that begins behind the last pixel is zero. Rows of E behind the last pixel count for nothing.

!in = f16
!out = f32
#stride = 1 : i64
#strideH = #stride
#dilationH = 1 : i64

tile.param @BM : {64 to 256 step 64} = 64
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!parts = !tile.view<?x?x?x?x!out>

tile.kernel @weight_gradient_rows(%x: !tile.ptr<!in>, %images: index, %h: index, %w: index,
                                  %c: index, %window: index, %e: !tile.view<?x?x!in>, %d: !parts) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %stride64 = arith.constant #stride
  %stride = arith.index_cast %stride64 : i64 to index
  %strideH64 = arith.constant #strideH
  %strideH = arith.index_cast %strideH64 : i64 to index
  %dilationH64 = arith.constant #dilationH
  %dilationH = arith.index_cast %dilationH64 : i64 to index
  %m = tile.dim %e, 0 : !tile.view<?x?x!in>
  %parts = tile.dim %d, 0 : !parts
  %r = tile.dim %d, 1 : !parts
  %k = tile.dim %d, 2 : !parts
  %n = tile.dim %d, 3 : !parts

  %r1 = arith.subi %r, %c1 : index
  %spanR = arith.muli %r1, %dilationH : index
  %lastR = arith.addi %spanR, %c1 : index
  %highH = arith.addi %h, %strideH : index
  %freeH = arith.subi %highH, %lastR : index
  %placesH = arith.maxsi %freeH, %c0 : index
  %p = arith.divui %placesH, %strideH : index
  %highW = arith.addi %w, %stride : index
  %freeW = arith.subi %highW, %window : index
  %placesW = arith.maxsi %freeW, %c0 : index
  %q = arith.divui %placesW, %stride : index

  // Windows of a row overlap: one begins `stride` columns behind the other.
  %pitch = arith.muli %stride, %c : index
  %rowPitch = arith.muli %w, %c : index
  %imagePitch = arith.muli %h, %rowPitch : index
  %runs = tile.make_view %x, [%images, %h, %q, %k], [%imagePitch, %rowPitch, %pitch, %c1]
    : !tile.ptr<!in> -> !image
  %rows = tile.window %runs axis 1 extent %p, window 0 extent %r, low %c0
    {stride = #strideH, dilation = #dilationH}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %a = tile.merge %rows axes 1 to 3
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>> -> !tile.view<?x?x?x!in>

  // Parts are equally long, in whole steps; behind the last pixel E is zero.
  %steps = arith.ceildivui %m, %bk : index
  %share = arith.ceildivui %steps, %parts : index
  %length = arith.muli %share, %bk : index

  %gm = arith.ceildivui %k, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%part, %fr, %i, %j) to (%parts, %r, %gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %behind = arith.muli %part, %length : index
    %first = arith.minui %behind, %m : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %step = %c0 to %length step %bk iter_args(%t = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %mm = arith.addi %first, %step : index
      %pixels = tile.load %a[%fr, %mm, %row]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BM">>
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
    tile.store %o, %d[%part, %fr, %row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !parts
  }
}
