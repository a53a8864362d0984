// One phase of what `data_gradient` computes, for windows that are `t` apart: pixels whose places
// differ by t meet the same places of windows, so that t x t phases are a launch each, and no zero
// is multiplied. D is the rows and columns of a phase, images x rows x columns x channels, which
// may be a view with strides of the whole.
//
//   heddle run examples/conv/data_gradient_phase.mlir --view e=2x14x14x64 --view f=3x3x32x64
//     --view d=2x14x14x32 --scalar row=0 --scalar column=0 --scalar lowR=1 --scalar lowS=1
//
// For rows h0 + t u of the image the launch is told
//   row    the first window row with row dilation = h0 + pad (modulo t); if there is none, D is
//          zero, as it is with a row behind F's last
//   lowR   (h0 + pad - row dilation) / t, which may be negative
// and the same of columns. `--set step` is t / gcd(t, dilation), by which window rows of a phase
// differ, and `--set dilation` is dilation / gcd(t, dilation), by which the rows of E do; both are
// those of columns, too, unless `stepH` and `dilationH` are those of rows.
// `f_order='#tile.order<2, 1, 0, 3>'` is for filters that lie in memory as outputs x rows x columns x
// channels.

!in = f16
!out = f16
#step = 1 : index
#stepH = #step
#dilation = 1 : i64
#dilationH = #dilation
#f_order = #tile.order<3, 2, 1, 0>

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!filters = !tile.view<?x?x?x?x!in, #f_order>
!result = !tile.view<?x?x?x?x!out>

tile.kernel @data_gradient_phase(%e: !image, %f: !filters, %d: !result, %row: index, %column: index,
                           %lowR: index, %lowS: index) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %step = arith.constant #step
  %stepH = arith.constant #stepH
  %dilation64 = arith.constant #dilation
  %dilation = arith.index_cast %dilation64 : i64 to index
  %dilationH64 = arith.constant #dilationH
  %dilationH = arith.index_cast %dilationH64 : i64 to index
  %allR = tile.dim %f, 0 : !filters
  %allS = tile.dim %f, 1 : !filters
  %k = tile.dim %f, 3 : !filters
  %h = tile.dim %d, 1 : !result
  %w = tile.dim %d, 2 : !result
  %n = tile.dim %d, 3 : !result

  // Window rows and columns of the phase: none where the first lies behind the last.
  %restR = arith.subi %allR, %row : index
  %restS = arith.subi %allS, %column : index
  %someR = arith.maxsi %restR, %c0 : index
  %someS = arith.maxsi %restS, %c0 : index
  %r = arith.ceildivui %someR, %stepH : index
  %s = arith.ceildivui %someS, %step : index

  // The last window row comes first, so that places in E rise.
  %r1 = arith.subi %r, %c1 : index
  %s1 = arith.subi %s, %c1 : index
  %spanR = arith.muli %r1, %dilationH : index
  %spanS = arith.muli %s1, %dilation : index
  %padR = arith.subi %spanR, %lowR : index
  %padS = arith.subi %spanS, %lowS : index

  // Window row, window column, image, row and column of D, output.
  %rows = tile.window %e axis 1 extent %h, window 0 extent %r, low %padR
    {dilation = #dilationH}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %w, window 1 extent %s, low %padS
    {dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !image
  %y = tile.merge %d axes 0 to 2 : !result -> !tile.view<?x?x!out>

  %m = tile.dim %y, 0 : !tile.view<?x?x!out>
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
          %fromR = arith.subi %r1, %fr : index
          %fromS = arith.subi %s1, %fs : index
          %behindR = arith.muli %fromR, %stepH : index
          %behindS = arith.muli %fromS, %step : index
          %placeR = arith.addi %behindR, %row : index
          %placeS = arith.addi %behindS, %column : index
          %errors = tile.load %a[%fr, %fs, %pixel, %kk]
            : !image -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
          %filters = tile.load %f[%placeR, %placeS, %channel, %kk]
            : !filters -> tensor<?x?x!in, #tile.shape<"BN", "BK">>
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
