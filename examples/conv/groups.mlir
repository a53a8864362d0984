// `forward` in groups: the outputs of a group see that group's channels alone. F is groups x rows x
// columns x (channels of a group) x (outputs of a group), and Y groups x pixels x (outputs of a
// group); in memory a pixel has the outputs of all groups side by side, as X has channels.
//
//   heddle run examples/conv/groups.mlir --view x=2x14x14x128 --view f=2x3x3x64x64
//     --view y=2x392x64
//
// What `forward` takes varies it. A group's channels begin in X at a multiple of BK, so that TMA finds
// them and no tile goes on into the next group's: several groups have a number of channels that BK
// divides, or rest between them. Groups too small for a tile are joined before: the filters of several
// are blocks on the diagonal of a larger one's, with zeros beside them.
// `f_order='#tile.order<3, 2, 1, 4, 0>'` is for filters that lie in memory as groups x outputs x rows
// x columns x channels.

!in = f16
!out = f16
#stride = 1 : i64
#strideH = #stride
#dilation = 1 : i64
#dilationH = #dilation
#pad = 1 : index
#padH = #pad
#end = #pad
#endH = #padH
#f_order = #tile.order<4, 3, 2, 1, 0>

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {16, 32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!filters = !tile.view<?x?x?x?x?x!in, #f_order>
!result = !tile.view<?x?x?x!out, #tile.order<2, 0, 1>>

tile.kernel @groups(%x: !image, %f: !filters, %y: !result) {
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
  %groups = tile.dim %f, 0 : !filters
  %r = tile.dim %f, 1 : !filters
  %s = tile.dim %f, 2 : !filters
  %k = tile.dim %f, 3 : !filters
  %m = tile.dim %y, 1 : !result
  %n = tile.dim %y, 2 : !result

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
  // All pixels of the output are the rows of one matrix.
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !image

  %steps = arith.ceildivui %k, %bk : index
  %pitch = arith.muli %steps, %bk : index
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %g, %j) to (%gm, %groups, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %first = arith.muli %g, %pitch : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%t0 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %acc1 = scf.for %fs = %c0 to %s step %c1 iter_args(%t1 = %t0)
          -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %acc2 = scf.for %kk = %c0 to %k step %bk iter_args(%t2 = %t1)
            -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
          %channel = arith.addi %first, %kk : index
          %pixels = tile.load %a[%fr, %fs, %row, %channel]
            : !image -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
          %filters = tile.load %f[%g, %fr, %fs, %kk, %col]
            : !filters -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
          %d = tile.dot %pixels, %filters, %t2
            : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
              -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
          scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
        }
        scf.yield %acc2 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      }
      scf.yield %acc1 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%g, %row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !result
  }
}
