// As `unfold`, for windows of seven rows that are two below one another: two rows of the result an
// instance, whose windows share spans. Nine spans are read for both, where each alone reads seven,
// and the elements of a span are unfolded once for both. All loads of an iteration that go to the
// same sums are one turn of a ring, and an iteration has them all, so that an instance waits once.
//
//   heddle run examples/conv/unfold_shared.mlir --view x=1536 --scalar images=2 --scalar h=16
//     --scalar w=16 --scalar c=3 --view f=7x21x64 --view y=2x8x8x64
//
// Arguments and settings are those of `unfold`, but that strideH is 2 and windows have no dilation.

!in = f16
!out = f16
#step = 6 : i64
#size = 21 : i64
#stride = 2 : index
#strideH = 2 : index
#pad = 3 : index
#padH = #pad
#flat = false
!span = tensor<512x!in>

tile.param @BM : {64 to 256 step 64} = 64
tile.param @BN : {16 to 256 step 16} = 64
tile.param @BK : {16 to 128 step 16} = 32

tile.kernel @unfold_shared(%x: !tile.ptr<!in>, %images: index, %h: index, %w: index, %c: index,
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

  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %rest = arith.remui %r, %c7 : index
  %isWhole = arith.cmpi eq, %rest, %c0 : index
  tile.assert %isWhole, "windows have 7 rows, or a multiple" : i1

  %gp = arith.ceildivui %p, %c2 : index
  %gq = arith.ceildivui %q, %bm : index
  %gk = arith.ceildivui %k, %bn : index
  tile.parallel (%image, %pair, %j, %l) to (%n, %gp, %gq, %gk) {
    %i = arith.muli %pair, %c2 : index
    %column = arith.muli %j, %bm : index
    %col = arith.muli %l, %bn : index
    %from = arith.muli %column, %stride : index
    %place = arith.muli %from, %c : index
    %inRow = arith.addi %place, %behind : index
    %window = arith.muli %i, %strideH : index
    %before = arith.muli %image, %h : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sums:2 = scf.for %fr = %c0 to %r step %c7 iter_args(%t_0 = %zero, %t_1 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>, tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %first = arith.addi %window, %fr : index

      %filters_0 = tile.load %f[%fr, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %c_1 = arith.constant 1 : index
      %fr_1 = arith.addi %fr, %c_1 : index
      %filters_1 = tile.load %f[%fr_1, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %c_2 = arith.constant 2 : index
      %fr_2 = arith.addi %fr, %c_2 : index
      %filters_2 = tile.load %f[%fr_2, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %c_3 = arith.constant 3 : index
      %fr_3 = arith.addi %fr, %c_3 : index
      %filters_3 = tile.load %f[%fr_3, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %c_4 = arith.constant 4 : index
      %fr_4 = arith.addi %fr, %c_4 : index
      %filters_4 = tile.load %f[%fr_4, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %c_5 = arith.constant 5 : index
      %fr_5 = arith.addi %fr, %c_5 : index
      %filters_5 = tile.load %f[%fr_5, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %c_6 = arith.constant 6 : index
      %fr_6 = arith.addi %fr, %c_6 : index
      %filters_6 = tile.load %f[%fr_6, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>

      // Row 0 of the windows' rows; those of the rim begin behind the last image.
      %at_0 = arith.subi %first, %padH : index
      %most_0 = arith.maxsi %at_0, %c0 : index
      %isBelow_0 = arith.cmpi sge, %first, %padH : index
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
      %lineAt_0 = arith.addi %before, %at_0 : index
      %lineAtBegin_0 = arith.muli %lineAt_0, %row : index
      %inLineAt_0 = arith.addi %lineAtBegin_0, %inRow : index
      %phase_0 = arith.select %flat, %inLineAt_0, %inRow : index
      %first_0 = arith.remui %phase_0, %c8 : index
      %span_0 = tile.load %runs[%plane0_0, %row0_0, %start_0] : !tile.view<?x?x?x!in> -> !span
      %windows_0 = tile.unfold %span_0 from %first_0 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_0 = tile.dot %windows_0, %filters_0, %t_0
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 1 of the windows' rows; those of the rim begin behind the last image.
      %below_1 = arith.addi %first, %c_1 : index
      %at_1 = arith.subi %below_1, %padH : index
      %most_1 = arith.maxsi %at_1, %c0 : index
      %isBelow_1 = arith.cmpi sge, %below_1, %padH : index
      %isAbove_1 = arith.cmpi slt, %at_1, %h : index
      %isInside_1 = arith.andi %isBelow_1, %isAbove_1 : i1
      %line_1 = arith.addi %before, %most_1 : index
      %lineBegin_1 = arith.muli %line_1, %row : index
      %inside_1 = arith.addi %lineBegin_1, %inRow : index
      %inAll_1 = arith.select %isInside_1, %inside_1, %end : index
      %begin_1 = arith.select %flat, %inAll_1, %inRow : index
      %plane0_1 = arith.select %flat, %c0, %image : index
      %row0_1 = arith.select %flat, %c0, %at_1 : index
      %pieces_1 = arith.divui %begin_1, %c8 : index
      %whole_1 = arith.muli %pieces_1, %c8 : index
      %start_1 = arith.subi %whole_1, %rimSpan : index
      %lineAt_1 = arith.addi %before, %at_1 : index
      %lineAtBegin_1 = arith.muli %lineAt_1, %row : index
      %inLineAt_1 = arith.addi %lineAtBegin_1, %inRow : index
      %phase_1 = arith.select %flat, %inLineAt_1, %inRow : index
      %first_1 = arith.remui %phase_1, %c8 : index
      %span_1 = tile.load %runs[%plane0_1, %row0_1, %start_1] : !tile.view<?x?x?x!in> -> !span
      %windows_1 = tile.unfold %span_1 from %first_1 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_1 = tile.dot %windows_1, %filters_1, %d0_0
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 2 of the windows' rows; those of the rim begin behind the last image.
      %below_2 = arith.addi %first, %c_2 : index
      %at_2 = arith.subi %below_2, %padH : index
      %most_2 = arith.maxsi %at_2, %c0 : index
      %isBelow_2 = arith.cmpi sge, %below_2, %padH : index
      %isAbove_2 = arith.cmpi slt, %at_2, %h : index
      %isInside_2 = arith.andi %isBelow_2, %isAbove_2 : i1
      %line_2 = arith.addi %before, %most_2 : index
      %lineBegin_2 = arith.muli %line_2, %row : index
      %inside_2 = arith.addi %lineBegin_2, %inRow : index
      %inAll_2 = arith.select %isInside_2, %inside_2, %end : index
      %begin_2 = arith.select %flat, %inAll_2, %inRow : index
      %plane0_2 = arith.select %flat, %c0, %image : index
      %row0_2 = arith.select %flat, %c0, %at_2 : index
      %pieces_2 = arith.divui %begin_2, %c8 : index
      %whole_2 = arith.muli %pieces_2, %c8 : index
      %start_2 = arith.subi %whole_2, %rimSpan : index
      %lineAt_2 = arith.addi %before, %at_2 : index
      %lineAtBegin_2 = arith.muli %lineAt_2, %row : index
      %inLineAt_2 = arith.addi %lineAtBegin_2, %inRow : index
      %phase_2 = arith.select %flat, %inLineAt_2, %inRow : index
      %first_2 = arith.remui %phase_2, %c8 : index
      %span_2 = tile.load %runs[%plane0_2, %row0_2, %start_2] : !tile.view<?x?x?x!in> -> !span
      %windows_2 = tile.unfold %span_2 from %first_2 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_2 = tile.dot %windows_2, %filters_2, %d0_1
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d1_0 = tile.dot %windows_2, %filters_0, %t_1
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 3 of the windows' rows; those of the rim begin behind the last image.
      %below_3 = arith.addi %first, %c_3 : index
      %at_3 = arith.subi %below_3, %padH : index
      %most_3 = arith.maxsi %at_3, %c0 : index
      %isBelow_3 = arith.cmpi sge, %below_3, %padH : index
      %isAbove_3 = arith.cmpi slt, %at_3, %h : index
      %isInside_3 = arith.andi %isBelow_3, %isAbove_3 : i1
      %line_3 = arith.addi %before, %most_3 : index
      %lineBegin_3 = arith.muli %line_3, %row : index
      %inside_3 = arith.addi %lineBegin_3, %inRow : index
      %inAll_3 = arith.select %isInside_3, %inside_3, %end : index
      %begin_3 = arith.select %flat, %inAll_3, %inRow : index
      %plane0_3 = arith.select %flat, %c0, %image : index
      %row0_3 = arith.select %flat, %c0, %at_3 : index
      %pieces_3 = arith.divui %begin_3, %c8 : index
      %whole_3 = arith.muli %pieces_3, %c8 : index
      %start_3 = arith.subi %whole_3, %rimSpan : index
      %lineAt_3 = arith.addi %before, %at_3 : index
      %lineAtBegin_3 = arith.muli %lineAt_3, %row : index
      %inLineAt_3 = arith.addi %lineAtBegin_3, %inRow : index
      %phase_3 = arith.select %flat, %inLineAt_3, %inRow : index
      %first_3 = arith.remui %phase_3, %c8 : index
      %span_3 = tile.load %runs[%plane0_3, %row0_3, %start_3] : !tile.view<?x?x?x!in> -> !span
      %windows_3 = tile.unfold %span_3 from %first_3 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_3 = tile.dot %windows_3, %filters_3, %d0_2
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d1_1 = tile.dot %windows_3, %filters_1, %d1_0
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 4 of the windows' rows; those of the rim begin behind the last image.
      %below_4 = arith.addi %first, %c_4 : index
      %at_4 = arith.subi %below_4, %padH : index
      %most_4 = arith.maxsi %at_4, %c0 : index
      %isBelow_4 = arith.cmpi sge, %below_4, %padH : index
      %isAbove_4 = arith.cmpi slt, %at_4, %h : index
      %isInside_4 = arith.andi %isBelow_4, %isAbove_4 : i1
      %line_4 = arith.addi %before, %most_4 : index
      %lineBegin_4 = arith.muli %line_4, %row : index
      %inside_4 = arith.addi %lineBegin_4, %inRow : index
      %inAll_4 = arith.select %isInside_4, %inside_4, %end : index
      %begin_4 = arith.select %flat, %inAll_4, %inRow : index
      %plane0_4 = arith.select %flat, %c0, %image : index
      %row0_4 = arith.select %flat, %c0, %at_4 : index
      %pieces_4 = arith.divui %begin_4, %c8 : index
      %whole_4 = arith.muli %pieces_4, %c8 : index
      %start_4 = arith.subi %whole_4, %rimSpan : index
      %lineAt_4 = arith.addi %before, %at_4 : index
      %lineAtBegin_4 = arith.muli %lineAt_4, %row : index
      %inLineAt_4 = arith.addi %lineAtBegin_4, %inRow : index
      %phase_4 = arith.select %flat, %inLineAt_4, %inRow : index
      %first_4 = arith.remui %phase_4, %c8 : index
      %span_4 = tile.load %runs[%plane0_4, %row0_4, %start_4] : !tile.view<?x?x?x!in> -> !span
      %windows_4 = tile.unfold %span_4 from %first_4 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_4 = tile.dot %windows_4, %filters_4, %d0_3
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d1_2 = tile.dot %windows_4, %filters_2, %d1_1
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 5 of the windows' rows; those of the rim begin behind the last image.
      %below_5 = arith.addi %first, %c_5 : index
      %at_5 = arith.subi %below_5, %padH : index
      %most_5 = arith.maxsi %at_5, %c0 : index
      %isBelow_5 = arith.cmpi sge, %below_5, %padH : index
      %isAbove_5 = arith.cmpi slt, %at_5, %h : index
      %isInside_5 = arith.andi %isBelow_5, %isAbove_5 : i1
      %line_5 = arith.addi %before, %most_5 : index
      %lineBegin_5 = arith.muli %line_5, %row : index
      %inside_5 = arith.addi %lineBegin_5, %inRow : index
      %inAll_5 = arith.select %isInside_5, %inside_5, %end : index
      %begin_5 = arith.select %flat, %inAll_5, %inRow : index
      %plane0_5 = arith.select %flat, %c0, %image : index
      %row0_5 = arith.select %flat, %c0, %at_5 : index
      %pieces_5 = arith.divui %begin_5, %c8 : index
      %whole_5 = arith.muli %pieces_5, %c8 : index
      %start_5 = arith.subi %whole_5, %rimSpan : index
      %lineAt_5 = arith.addi %before, %at_5 : index
      %lineAtBegin_5 = arith.muli %lineAt_5, %row : index
      %inLineAt_5 = arith.addi %lineAtBegin_5, %inRow : index
      %phase_5 = arith.select %flat, %inLineAt_5, %inRow : index
      %first_5 = arith.remui %phase_5, %c8 : index
      %span_5 = tile.load %runs[%plane0_5, %row0_5, %start_5] : !tile.view<?x?x?x!in> -> !span
      %windows_5 = tile.unfold %span_5 from %first_5 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_5 = tile.dot %windows_5, %filters_5, %d0_4
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d1_3 = tile.dot %windows_5, %filters_3, %d1_2
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 6 of the windows' rows; those of the rim begin behind the last image.
      %below_6 = arith.addi %first, %c_6 : index
      %at_6 = arith.subi %below_6, %padH : index
      %most_6 = arith.maxsi %at_6, %c0 : index
      %isBelow_6 = arith.cmpi sge, %below_6, %padH : index
      %isAbove_6 = arith.cmpi slt, %at_6, %h : index
      %isInside_6 = arith.andi %isBelow_6, %isAbove_6 : i1
      %line_6 = arith.addi %before, %most_6 : index
      %lineBegin_6 = arith.muli %line_6, %row : index
      %inside_6 = arith.addi %lineBegin_6, %inRow : index
      %inAll_6 = arith.select %isInside_6, %inside_6, %end : index
      %begin_6 = arith.select %flat, %inAll_6, %inRow : index
      %plane0_6 = arith.select %flat, %c0, %image : index
      %row0_6 = arith.select %flat, %c0, %at_6 : index
      %pieces_6 = arith.divui %begin_6, %c8 : index
      %whole_6 = arith.muli %pieces_6, %c8 : index
      %start_6 = arith.subi %whole_6, %rimSpan : index
      %lineAt_6 = arith.addi %before, %at_6 : index
      %lineAtBegin_6 = arith.muli %lineAt_6, %row : index
      %inLineAt_6 = arith.addi %lineAtBegin_6, %inRow : index
      %phase_6 = arith.select %flat, %inLineAt_6, %inRow : index
      %first_6 = arith.remui %phase_6, %c8 : index
      %span_6 = tile.load %runs[%plane0_6, %row0_6, %start_6] : !tile.view<?x?x?x!in> -> !span
      %windows_6 = tile.unfold %span_6 from %first_6 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d0_6 = tile.dot %windows_6, %filters_6, %d0_5
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d1_4 = tile.dot %windows_6, %filters_4, %d1_3
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 7 of the windows' rows; those of the rim begin behind the last image.
      %c_7 = arith.constant 7 : index
      %below_7 = arith.addi %first, %c_7 : index
      %at_7 = arith.subi %below_7, %padH : index
      %most_7 = arith.maxsi %at_7, %c0 : index
      %isBelow_7 = arith.cmpi sge, %below_7, %padH : index
      %isAbove_7 = arith.cmpi slt, %at_7, %h : index
      %isInside_7 = arith.andi %isBelow_7, %isAbove_7 : i1
      %line_7 = arith.addi %before, %most_7 : index
      %lineBegin_7 = arith.muli %line_7, %row : index
      %inside_7 = arith.addi %lineBegin_7, %inRow : index
      %inAll_7 = arith.select %isInside_7, %inside_7, %end : index
      %begin_7 = arith.select %flat, %inAll_7, %inRow : index
      %plane0_7 = arith.select %flat, %c0, %image : index
      %row0_7 = arith.select %flat, %c0, %at_7 : index
      %pieces_7 = arith.divui %begin_7, %c8 : index
      %whole_7 = arith.muli %pieces_7, %c8 : index
      %start_7 = arith.subi %whole_7, %rimSpan : index
      %lineAt_7 = arith.addi %before, %at_7 : index
      %lineAtBegin_7 = arith.muli %lineAt_7, %row : index
      %inLineAt_7 = arith.addi %lineAtBegin_7, %inRow : index
      %phase_7 = arith.select %flat, %inLineAt_7, %inRow : index
      %first_7 = arith.remui %phase_7, %c8 : index
      %span_7 = tile.load %runs[%plane0_7, %row0_7, %start_7] : !tile.view<?x?x?x!in> -> !span
      %windows_7 = tile.unfold %span_7 from %first_7 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d1_5 = tile.dot %windows_7, %filters_5, %d1_4
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      // Row 8 of the windows' rows; those of the rim begin behind the last image.
      %c_8 = arith.constant 8 : index
      %below_8 = arith.addi %first, %c_8 : index
      %at_8 = arith.subi %below_8, %padH : index
      %most_8 = arith.maxsi %at_8, %c0 : index
      %isBelow_8 = arith.cmpi sge, %below_8, %padH : index
      %isAbove_8 = arith.cmpi slt, %at_8, %h : index
      %isInside_8 = arith.andi %isBelow_8, %isAbove_8 : i1
      %line_8 = arith.addi %before, %most_8 : index
      %lineBegin_8 = arith.muli %line_8, %row : index
      %inside_8 = arith.addi %lineBegin_8, %inRow : index
      %inAll_8 = arith.select %isInside_8, %inside_8, %end : index
      %begin_8 = arith.select %flat, %inAll_8, %inRow : index
      %plane0_8 = arith.select %flat, %c0, %image : index
      %row0_8 = arith.select %flat, %c0, %at_8 : index
      %pieces_8 = arith.divui %begin_8, %c8 : index
      %whole_8 = arith.muli %pieces_8, %c8 : index
      %start_8 = arith.subi %whole_8, %rimSpan : index
      %lineAt_8 = arith.addi %before, %at_8 : index
      %lineAtBegin_8 = arith.muli %lineAt_8, %row : index
      %inLineAt_8 = arith.addi %lineAtBegin_8, %inRow : index
      %phase_8 = arith.select %flat, %inLineAt_8, %inRow : index
      %first_8 = arith.remui %phase_8, %c8 : index
      %span_8 = tile.load %runs[%plane0_8, %row0_8, %start_8] : !tile.view<?x?x?x!in> -> !span
      %windows_8 = tile.unfold %span_8 from %first_8 {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d1_6 = tile.dot %windows_8, %filters_6, %d1_5
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>

      scf.yield %d0_6, %d1_6
        : tensor<?x?xf32, #tile.shape<"BM", "BN">>, tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o_0 = tile.cast %sums#0 : tensor<?x?xf32, #tile.shape<"BM", "BN">> -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o_0, %y[%image, %i, %column, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x?x?x!out>
    %next = arith.addi %i, %c1 : index
    %o_1 = tile.cast %sums#1 : tensor<?x?xf32, #tile.shape<"BM", "BN">> -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o_1, %y[%image, %next, %column, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x?x?x!out>
  }
}
