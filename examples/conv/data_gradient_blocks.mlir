// D = the gradient of `forward`'s image by blocks of pixels: E, that of its result, is images x rows x
// columns x outputs, D the image's gradient (NHWC), and G what `block_filters` makes of the filters. A
// block of stepH window strides is blockH rows of D, and the same of columns; its pixels meet the
// same places of E, which are loaded once for all of them. So a launch does what
// `data_gradient_phase` does in one for each phase, and few channels become many columns.
//
//   heddle run examples/conv/data_gradient_blocks.mlir --view e=2x8x8x64 --view g=2x2x128x64
//     --view d=2x15x15x32
//
// `--set pad=0`, `--set stepH=2`, `--set blockH=4` and the same of W vary it; `pad` is the rim in front of
// rows, too, unless `padH` is. The result is stored
// through windows that do not overlap: pixels of a block behind D's last one are not.

!in = f16
!out = f16
#stepH = 1 : i64
#stepW = 1 : i64
#blockH = 2 : i64
#blockW = 2 : i64
#pad = 1 : index
#padH = #pad

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>

tile.kernel @data_gradient_blocks(%e: !image, %g: !image, %d: !tile.view<?x?x?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %pad = arith.constant #pad
  %padH = arith.constant #padH
  %stepH64 = arith.constant #stepH
  %stepH = arith.index_cast %stepH64 : i64 to index
  %stepW64 = arith.constant #stepW
  %stepW = arith.index_cast %stepW64 : i64 to index
  %blockH64 = arith.constant #blockH
  %blockH = arith.index_cast %blockH64 : i64 to index
  %blockW64 = arith.constant #blockW
  %blockW = arith.index_cast %blockW64 : i64 to index
  %r = tile.dim %g, 0 : !image
  %s = tile.dim %g, 1 : !image
  %k = tile.dim %g, 3 : !image
  %h = tile.dim %d, 1 : !tile.view<?x?x?x?x!out>
  %w = tile.dim %d, 2 : !tile.view<?x?x?x?x!out>

  // The first block begins in the rim, by less than its size.
  %lowH = arith.remui %padH, %blockH : index
  %lowW = arith.remui %pad, %blockW : index
  %lastH = arith.addi %h, %lowH : index
  %lastW = arith.addi %w, %lowW : index
  %u = arith.ceildivui %lastH, %blockH : index
  %v = arith.ceildivui %lastW, %blockW : index

  // Blocks that lie in the rim as a whole are left out.
  %outH = arith.divui %padH, %blockH : index
  %outW = arith.divui %pad, %blockW : index
  %nextH = arith.addi %outH, %c1 : index
  %nextW = arith.addi %outW, %c1 : index
  %offH = arith.muli %nextH, %stepH : index
  %offW = arith.muli %nextW, %stepW : index
  %lowR = arith.subi %r, %offH : index
  %lowS = arith.subi %s, %offW : index

  // Place row, place column, image, row and column of blocks, output.
  %rows = tile.window %e axis 1 extent %u, window 0 extent %r, low %lowR
    {stride = #stepH}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %v, window 1 extent %s, low %lowS
    {stride = #stepW}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !image

  // Image, row and column of blocks; row, column and channel in a block.
  %tall = tile.window %d axis 1 extent %u, window 3 extent %blockH, low %lowH
    {stride = #blockH}
    : !tile.view<?x?x?x?x!out> -> !tile.view<?x?x?x?x?x!out, #tile.order<4, 2, 1, 3, 0>>
  %blocks = tile.window %tall axis 2 extent %v, window 4 extent %blockW, low %lowW
    {stride = #blockW}
    : !tile.view<?x?x?x?x?x!out, #tile.order<4, 2, 1, 3, 0>>
      -> !tile.view<?x?x?x?x?x?x!out, #tile.order<5, 2, 4, 1, 3, 0>>
  %flat = tile.merge %blocks axes 3 to 5
    : !tile.view<?x?x?x?x?x?x!out, #tile.order<5, 2, 4, 1, 3, 0>> -> !tile.view<?x?x?x?x!out>
  %y = tile.merge %flat axes 0 to 2
    : !tile.view<?x?x?x?x!out> -> !tile.view<?x?x!out>

  %m = tile.dim %y, 0 : !tile.view<?x?x!out>
  %n = tile.dim %y, 1 : !tile.view<?x?x!out>
  %r1 = arith.subi %r, %c1 : index
  %s1 = arith.subi %s, %c1 : index
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %pixel = arith.muli %i, %bm : index
    %channel = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%t0 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %acc1 = scf.for %fs = %c0 to %s step %c1 iter_args(%t1 = %t0)
          -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %acc2 = scf.for %kk = %c0 to %k step %bk iter_args(%t2 = %t1)
            -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
          %placeR = arith.subi %r1, %fr : index
          %placeS = arith.subi %s1, %fs : index
          %errors = tile.load %a[%fr, %fs, %pixel, %kk]
            : !image -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
          %filters = tile.load %g[%placeR, %placeS, %channel, %kk]
            : !image -> tensor<?x?x!in, #tile.shape<"BN", "BK">>
          %turned = tile.trans %filters, [1, 0]
            : tensor<?x?x!in, #tile.shape<"BN", "BK">> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
          %product = tile.dot %errors, %turned, %t2
            : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
              -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
          scf.yield %product : tensor<?x?xf32, #tile.shape<"BM", "BN">>
        }
        scf.yield %acc2 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      }
      scf.yield %acc1 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%pixel, %channel]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
