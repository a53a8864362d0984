// D = the gradient of `forward`'s image, for windows next to each other (stride 1): E, that of its
// result, is images x rows x columns x outputs, F the filters as `forward` takes them, and D a
// matrix with a row for each pixel of the image and a column for each channel. The sum that an
// element of D is goes over windows that hold it, so it is itself a window of E, met by filters in
// the opposite order and turned, with a rim of dilation (window - 1) - pad.
//
//   heddle run examples/conv/data_gradient.mlir --view e=2x14x14x64 --view f=3x3x32x64
//     --view d=392x32
//
// `--set dilation=2` and `--set pad=0` vary it, and `dilationH`, `padH`, `end` and `endH` as they do
// `forward`. Images have rows + dilation (window - 1) - 2 pad rows, rows being E's.
// `data_gradient_phase` has other strides.
// `f_order='#tile.order<2, 1, 0, 3>'` is for filters that lie in memory as outputs x rows x columns x
// channels.

!in = f16
!out = f16
#dilation = 1 : i64
#dilationH = #dilation
#pad = 1 : index
#padH = #pad
#end = #pad
#endH = #padH
#f_order = #tile.order<3, 2, 1, 0>

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>
!filters = !tile.view<?x?x?x?x!in, #f_order>

tile.kernel @data_gradient(%e: !image, %f: !filters, %d: !tile.view<?x?x!out>) {
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
  %dilation64 = arith.constant #dilation
  %dilation = arith.index_cast %dilation64 : i64 to index
  %dilationH64 = arith.constant #dilationH
  %dilationH = arith.index_cast %dilationH64 : i64 to index
  %p = tile.dim %e, 1 : !image
  %q = tile.dim %e, 2 : !image
  %r = tile.dim %f, 0 : !filters
  %s = tile.dim %f, 1 : !filters
  %k = tile.dim %f, 3 : !filters
  %m = tile.dim %d, 0 : !tile.view<?x?x!out>
  %n = tile.dim %d, 1 : !tile.view<?x?x!out>

  // The last window row comes first, so that places in E rise.
  %r1 = arith.subi %r, %c1 : index
  %s1 = arith.subi %s, %c1 : index
  %spanR = arith.muli %r1, %dilationH : index
  %spanS = arith.muli %s1, %dilation : index
  %lowR = arith.subi %spanR, %padH : index
  %lowS = arith.subi %spanS, %pad : index

  // Rows and columns of the image: none where its rim is all that there is.
  %moreH = arith.addi %lowR, %p : index
  %moreW = arith.addi %lowS, %q : index
  %freeH = arith.subi %moreH, %endH : index
  %freeW = arith.subi %moreW, %end : index
  %h = arith.maxsi %freeH, %c0 : index
  %w = arith.maxsi %freeW, %c0 : index

  // Window row, window column, image, row and column of D, output.
  %rows = tile.window %e axis 1 extent %h, window 0 extent %r, low %lowR
    {dilation = #dilationH}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %w, window 1 extent %s, low %lowS
    {dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !image

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
    tile.store %o, %d[%pixel, %channel]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
