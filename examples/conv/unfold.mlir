// The same convolution as `forward`, in one launch for few channels: what a window row covers is a
// run of columns and channels, and windows side by side are runs that overlap. A span of an
// image's row is loaded once, and `tile.unfold` reads all its windows from shared memory. So
// nothing is written down between the image and the product.
//
//   heddle run examples/conv/unfold.mlir --view x=1536 --scalar images=2 --scalar h=16
//     --scalar w=16 --scalar c=3 --view f=3x9x64 --view y=2x16x16x64
//
// F is window rows x (columns and channels of a window) x outputs, Y images x rows x columns x
// outputs. `size` is the run of a window row, window columns x channels, and BK at least that; `step` is
// stride x channels, and a span holds BM of such steps, a run and 7 elements more.
// `stride`, `dilationH` and `padH` are those of rows, `pad` and `stride` those of columns.
//
// Where an image's row is no multiple of 16 bytes, TMA cannot find its begin. `flat=true` takes the
// whole array as one row: what lies between 16-byte pieces is `tile.unfold`'s to find. A window
// would reach into the next row, so `pad` is 0 there.

!in = f16
!out = f16
#step = 3 : i64
#size = 9 : i64
#stride = 1 : index
#strideH = #stride
#dilationH = 1 : index
#pad = 1 : index
#padH = #pad
#flat = false
!span = tensor<224x!in>

tile.param @BM : {64 to 256 step 64} = 64
tile.param @BN : {16 to 256 step 16} = 64
tile.param @BK : {16 to 128 step 16} = 16

tile.kernel @unfold(%x: !tile.ptr<!in>, %images: index, %h: index, %w: index, %c: index,
                    %f: !tile.view<?x?x?x!in>, %y: !tile.view<?x?x?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %flat = arith.constant #flat
  %stride = arith.constant #stride
  %strideH = arith.constant #strideH
  %dilationH = arith.constant #dilationH
  %pad = arith.constant #pad
  %padH = arith.constant #padH
  %r = tile.dim %f, 0 : !tile.view<?x?x?x!in>
  %n = tile.dim %y, 0 : !tile.view<?x?x?x?x!out>
  %p = tile.dim %y, 1 : !tile.view<?x?x?x?x!out>
  %q = tile.dim %y, 2 : !tile.view<?x?x?x?x!out>
  %k = tile.dim %y, 3 : !tile.view<?x?x?x?x!out>

  %row = arith.muli %w, %c : index
  %plane = arith.muli %h, %row : index
  %all = arith.muli %images, %plane : index
  %allPieces = arith.ceildivui %all, %c8 : index
  %end = arith.muli %allPieces, %c8 : index
  %planes = arith.select %flat, %c1, %images : index
  %rows = arith.select %flat, %c1, %h : index
  %columns = arith.select %flat, %all, %row : index
  %runs = tile.make_view %x, [%planes, %rows, %columns], [%plane, %row, %c1]
    : !tile.ptr<!in> -> !tile.view<?x?x?x!in>

  // Columns are counted from the last piece of 16 bytes in front of the rim.
  %rim = arith.muli %pad, %c : index
  %rimPieces = arith.ceildivui %rim, %c8 : index
  %rimSpan = arith.muli %rimPieces, %c8 : index
  %behind = arith.subi %rimSpan, %rim : index

  %gq = arith.ceildivui %q, %bm : index
  %gk = arith.ceildivui %k, %bn : index
  tile.parallel (%image, %i, %j, %l) to (%n, %p, %gq, %gk) {
    %column = arith.muli %j, %bm : index
    %col = arith.muli %l, %bn : index
    %from = arith.muli %column, %stride : index
    %place = arith.muli %from, %c : index
    %inRow = arith.addi %place, %behind : index
    %window = arith.muli %i, %strideH : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sum = scf.for %fr = %c0 to %r step %c1 iter_args(%t = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %down = arith.muli %fr, %dilationH : index
      %below = arith.addi %window, %down : index
      %at = arith.subi %below, %padH : index

      // Rows of the rim begin behind the last image.
      %most = arith.maxsi %at, %c0 : index
      %isBelow = arith.cmpi sge, %below, %padH : index
      %isAbove = arith.cmpi slt, %at, %h : index
      %isInside = arith.andi %isBelow, %isAbove : i1
      %before = arith.muli %image, %h : index
      %line = arith.addi %before, %most : index
      %lineBegin = arith.muli %line, %row : index
      %inside = arith.addi %lineBegin, %inRow : index
      %inAll = arith.select %isInside, %inside, %end : index
      %begin = arith.select %flat, %inAll, %inRow : index
      %plane0 = arith.select %flat, %c0, %image : index
      %row0 = arith.select %flat, %c0, %at : index

      %pieces = arith.divui %begin, %c8 : index
      %whole = arith.muli %pieces, %c8 : index
      %start = arith.subi %whole, %rimSpan : index
      // Of a row of zeros any element is the first, so that this one needs no comparison.
      %lineAt = arith.addi %before, %at : index
      %lineAtBegin = arith.muli %lineAt, %row : index
      %inLineAt = arith.addi %lineAtBegin, %inRow : index
      %phase = arith.select %flat, %inLineAt, %inRow : index
      %first = arith.remui %phase, %c8 : index
      %span = tile.load %runs[%plane0, %row0, %start] : !tile.view<?x?x?x!in> -> !span
      %filters = tile.load %f[%fr, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %windows = tile.unfold %span from %first {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d = tile.dot %windows, %filters, %t
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %sum : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%image, %i, %column, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x?x?x!out>
  }
}
