// As `unfold`, with three window rows an iteration: their spans are read together and their products
// follow one another, so that an iteration waits once. A row behind the window's last is a span of zeros.
//
//   heddle run examples/conv/unfold_rows.mlir --view x=1536 --scalar images=2 --scalar h=16
//     --scalar w=16 --scalar c=3 --view f=3x9x64 --view y=2x16x16x64
//
// Arguments and settings are those of `unfold`.

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

tile.kernel @unfold_rows(%x: !tile.ptr<!in>, %images: index, %h: index, %w: index, %c: index,
                         %f: !tile.view<?x?x?x!in>, %y: !tile.view<?x?x?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
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
    %before = arith.muli %image, %h : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sum = scf.for %fr = %c0 to %r step %c3 iter_args(%t = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %down_0 = arith.muli %fr, %dilationH : index
      %below_0 = arith.addi %window, %down_0 : index
      %at_0 = arith.subi %below_0, %padH : index

      // Rows of the rim, and those behind the window, begin behind the last image.
      %most_0 = arith.maxsi %at_0, %c0 : index
      %isBelow_0 = arith.cmpi sge, %below_0, %padH : index
      %isAbove_0 = arith.cmpi slt, %at_0, %h : index
      %isInside_0 = arith.andi %isBelow_0, %isAbove_0 : i1
      %line_0 = arith.addi %before, %most_0 : index
      %lineBegin_0 = arith.muli %line_0, %row : index
      %inside_0 = arith.addi %lineBegin_0, %inRow : index
      %inAll_0 = arith.select %isInside_0, %inside_0, %end : index
      %begin_0 = arith.select %flat, %inAll_0, %inRow : index
      %plane0_0 = arith.select %flat, %c0, %image : index
      %row0_0 = arith.select %flat, %c0, %at_0 : index

      %pieces_0 = arith.divui %begin_0, %c8 : index
      %whole_0 = arith.muli %pieces_0, %c8 : index
      %start_0 = arith.subi %whole_0, %rimSpan : index
      // Of a row of zeros any element is the first, so that this one needs no comparison.
      %lineAt_0 = arith.addi %before, %at_0 : index
      %lineAtBegin_0 = arith.muli %lineAt_0, %row : index
      %inLineAt_0 = arith.addi %lineAtBegin_0, %inRow : index
      %phase_0 = arith.select %flat, %inLineAt_0, %inRow : index
      %first_0 = arith.remui %phase_0, %c8 : index
      %span_0 = tile.load %runs[%plane0_0, %row0_0, %start_0] : !tile.view<?x?x?x!in> -> !span
      %filters_0 = tile.load %f[%fr, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %windows_0 = tile.unfold %span_0 from %first_0 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %fr_1 = arith.addi %fr, %c1 : index
      %down_1 = arith.muli %fr_1, %dilationH : index
      %below_1 = arith.addi %window, %down_1 : index
      %at_1 = arith.subi %below_1, %padH : index
      %most_1 = arith.maxsi %at_1, %c0 : index
      %isBelow_1 = arith.cmpi sge, %below_1, %padH : index
      %isAbove_1 = arith.cmpi slt, %at_1, %h : index
      %isThere_1 = arith.cmpi slt, %fr_1, %r : index
      %isPlace_1 = arith.andi %isBelow_1, %isAbove_1 : i1
      %isInside_1 = arith.andi %isPlace_1, %isThere_1 : i1
      %line_1 = arith.addi %before, %most_1 : index
      %lineBegin_1 = arith.muli %line_1, %row : index
      %inside_1 = arith.addi %lineBegin_1, %inRow : index
      %inAll_1 = arith.select %isInside_1, %inside_1, %end : index
      %begin_1 = arith.select %flat, %inAll_1, %inRow : index
      %plane0_1 = arith.select %flat, %c0, %image : index
      %out_1 = arith.select %isThere_1, %at_1, %h : index
      %row0_1 = arith.select %flat, %c0, %out_1 : index

      %pieces_1 = arith.divui %begin_1, %c8 : index
      %whole_1 = arith.muli %pieces_1, %c8 : index
      %start_1 = arith.subi %whole_1, %rimSpan : index
      %lineAt_1 = arith.addi %before, %at_1 : index
      %lineAtBegin_1 = arith.muli %lineAt_1, %row : index
      %inLineAt_1 = arith.addi %lineAtBegin_1, %inRow : index
      %phase_1 = arith.select %flat, %inLineAt_1, %inRow : index
      %first_1 = arith.remui %phase_1, %c8 : index
      %span_1 = tile.load %runs[%plane0_1, %row0_1, %start_1] : !tile.view<?x?x?x!in> -> !span
      %filters_1 = tile.load %f[%fr_1, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %windows_1 = tile.unfold %span_1 from %first_1 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %fr_2 = arith.addi %fr, %c2 : index
      %down_2 = arith.muli %fr_2, %dilationH : index
      %below_2 = arith.addi %window, %down_2 : index
      %at_2 = arith.subi %below_2, %padH : index
      %most_2 = arith.maxsi %at_2, %c0 : index
      %isBelow_2 = arith.cmpi sge, %below_2, %padH : index
      %isAbove_2 = arith.cmpi slt, %at_2, %h : index
      %isThere_2 = arith.cmpi slt, %fr_2, %r : index
      %isPlace_2 = arith.andi %isBelow_2, %isAbove_2 : i1
      %isInside_2 = arith.andi %isPlace_2, %isThere_2 : i1
      %line_2 = arith.addi %before, %most_2 : index
      %lineBegin_2 = arith.muli %line_2, %row : index
      %inside_2 = arith.addi %lineBegin_2, %inRow : index
      %inAll_2 = arith.select %isInside_2, %inside_2, %end : index
      %begin_2 = arith.select %flat, %inAll_2, %inRow : index
      %plane0_2 = arith.select %flat, %c0, %image : index
      %out_2 = arith.select %isThere_2, %at_2, %h : index
      %row0_2 = arith.select %flat, %c0, %out_2 : index

      %pieces_2 = arith.divui %begin_2, %c8 : index
      %whole_2 = arith.muli %pieces_2, %c8 : index
      %start_2 = arith.subi %whole_2, %rimSpan : index
      %lineAt_2 = arith.addi %before, %at_2 : index
      %lineAtBegin_2 = arith.muli %lineAt_2, %row : index
      %inLineAt_2 = arith.addi %lineAtBegin_2, %inRow : index
      %phase_2 = arith.select %flat, %inLineAt_2, %inRow : index
      %first_2 = arith.remui %phase_2, %c8 : index
      %span_2 = tile.load %runs[%plane0_2, %row0_2, %start_2] : !tile.view<?x?x?x!in> -> !span
      %filters_2 = tile.load %f[%fr_2, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %windows_2 = tile.unfold %span_2 from %first_2 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d_0 = tile.dot %windows_0, %filters_0, %t
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d_1 = tile.dot %windows_1, %filters_1, %d_0
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d_2 = tile.dot %windows_2, %filters_2, %d_1
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d_2 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %sum : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%image, %i, %column, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x?x?x!out>
  }
}
