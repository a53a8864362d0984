// The same convolution as `forward`, for windows without rim or dilation along a row: the
// columns and channels of a window's row are one run in memory, and the next window's run
// begins `stride` columns behind. So all runs are one view, whose rows overlap, and a tile
// takes places and channels alike: no part of it is zero because channels are few.
//
//   heddle run examples/conv/rows.mlir --view x=6272 --scalar images=2 --scalar h=14
//     --scalar w=14 --scalar c=16 --scalar window=3 --view f=3x48x64 --view y=288x64
//
// F is window rows x (columns and channels of a window) x outputs. `--set stride=2`
// sets both directions; `strideH` and `dilationH` the windows' rows alone. With one window
// row of a step of 1 it multiplies what `im2win` makes: its rows are images' rows there.
// `f_order='#tile.order<1, 2, 0>'` is for filters that lie in memory as window rows x outputs x
// (columns and channels).

!in = f16
!out = f16
#stride = 1 : i64
#strideH = #stride
#dilationH = 1 : i64
#f_order = #tile.order<2, 1, 0>

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!filters = !tile.view<?x?x?x!in, #f_order>

tile.kernel @rows(%x: !tile.ptr<!in>, %images: index, %h: index, %w: index, %c: index, %window: index,
                  %f: !filters, %y: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %stride64 = arith.constant #stride
  %stride = arith.index_cast %stride64 : i64 to index
  %dilationH64 = arith.constant #dilationH
  %dilationH = arith.index_cast %dilationH64 : i64 to index
  %r = tile.dim %f, 0 : !filters
  %k = tile.dim %f, 1 : !filters
  %m = tile.dim %y, 0 : !tile.view<?x?x!out>
  %n = tile.dim %y, 1 : !tile.view<?x?x!out>

  %r1 = arith.subi %r, %c1 : index
  %spanR = arith.muli %r1, %dilationH : index
  %lastR = arith.addi %spanR, %c1 : index
  %strideH64 = arith.constant #strideH
  %strideH = arith.index_cast %strideH64 : i64 to index
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

  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%t0 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %acc1 = scf.for %kk = %c0 to %k step %bk iter_args(%t1 = %t0)
          -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %pixels = tile.load %a[%fr, %row, %kk]
          : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
        %filters = tile.load %f[%fr, %kk, %col]
          : !filters -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
        %d = tile.dot %pixels, %filters, %t1
          : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
            -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
        scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      }
      scf.yield %acc1 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
