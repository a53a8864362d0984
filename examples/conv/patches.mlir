// The same convolution as `forward`, with other tiles: a piece of one output row instead of
// a run over all pixels. Y is images x rows x columns x outputs. Pieces that reach over the
// end of a row are cut, so rows should be long; in return no launch is asked for corners.
//
//   heddle run examples/conv/patches.mlir --view x=2x14x70x32 --view f=3x3x32x64
//     --view y=2x14x70x64
//
// Windows of a row are counted as long as they begin inside of the image, columns + pad of
// them: what follows is zero in any case, so TMA's own zeros will do.

!in = f16
!out = f16
#stride = 1 : i64
#dilation = 1 : i64
#pad = 1 : index

tile.param @BM : {64 to 256 step 64} = 64
tile.param @BN : {16 to 256 step 16} = 64
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!result = !tile.view<?x?x?x?x!out>

tile.kernel @pieces(%x: !image, %f: !image, %y: !result) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %pad = arith.constant #pad
  %w = tile.dim %x, 2 : !image
  %r = tile.dim %f, 0 : !image
  %s = tile.dim %f, 1 : !image
  %k = tile.dim %f, 2 : !image
  %images = tile.dim %y, 0 : !result
  %p = tile.dim %y, 1 : !result
  %q = tile.dim %y, 2 : !result
  %n = tile.dim %y, 3 : !result
  %beginning = arith.addi %w, %pad : index

  %rows = tile.window %x axis 1 extent %p, window 0 extent %r, low %pad
    {stride = #stride, dilation = #dilation}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %a = tile.window %rows axis 3 extent %beginning, window 1 extent %s, low %pad
    {stride = #stride, dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>

  %gq = arith.ceildivui %q, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%image, %row, %i, %j) to (%images, %p, %gq, %gn) {
    %column = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%t0 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %acc1 = scf.for %fs = %c0 to %s step %c1 iter_args(%t1 = %t0)
          -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %acc2 = scf.for %kk = %c0 to %k step %bk iter_args(%t2 = %t1)
            -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
          %pixels = tile.load %a[%fr, %fs, %image, %row, %column, %kk]
            : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
              -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
          %filters = tile.load %f[%fr, %fs, %kk, %col]
            : !image -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
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
    tile.store %o, %y[%image, %row, %column, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !result
  }
}
