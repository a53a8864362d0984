// The same convolution as `forward`, and no product of tiles: each pixel of a window, and each
// channel of it, is multiplied by a row of filters and added. What loops without blocking or
// packing do, for comparison.
//
//   heddle run examples/conv/direct.mlir --device=cpu --view x=2x14x14x32 --view f=3x3x32x64
//     --view y=392x64

!in = f16
!out = f16
#stride = 1 : i64
#dilation = 1 : i64
#pad = 1 : index

tile.param @BM : {1, 2, 4, 8, 16, 32, 64} = 8
tile.param @BN : {16 to 256 step 16} = 64

!image = !tile.view<?x?x?x?x!in>

tile.kernel @direct(%x: !image, %f: !image, %y: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f32
  %pad = arith.constant #pad
  %stride64 = arith.constant #stride
  %stride = arith.index_cast %stride64 : i64 to index
  %dilation64 = arith.constant #dilation
  %dilation = arith.index_cast %dilation64 : i64 to index
  %h = tile.dim %x, 1 : !image
  %w = tile.dim %x, 2 : !image
  %r = tile.dim %f, 0 : !image
  %s = tile.dim %f, 1 : !image
  %k = tile.dim %f, 2 : !image
  %m = tile.dim %y, 0 : !tile.view<?x?x!out>
  %n = tile.dim %y, 1 : !tile.view<?x?x!out>

  // How many windows fit: none where one is larger than the image with its rim.
  %rim = arith.muli %pad, %c2 : index
  %more = arith.addi %rim, %stride : index
  %r1 = arith.subi %r, %c1 : index
  %s1 = arith.subi %s, %c1 : index
  %spanR = arith.muli %r1, %dilation : index
  %spanS = arith.muli %s1, %dilation : index
  %lastR = arith.addi %spanR, %c1 : index
  %lastS = arith.addi %spanS, %c1 : index
  %highH = arith.addi %h, %more : index
  %highW = arith.addi %w, %more : index
  %freeH = arith.subi %highH, %lastR : index
  %freeW = arith.subi %highW, %lastS : index
  %placesH = arith.maxsi %freeH, %c0 : index
  %placesW = arith.maxsi %freeW, %c0 : index
  %p = arith.divui %placesH, %stride : index
  %q = arith.divui %placesW, %stride : index

  // Window row, window column, image, row and column of the output, channel.
  %rows = tile.window %x axis 1 extent %p, window 0 extent %r, low %pad
    {stride = #stride, dilation = #dilation}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %q, window 1 extent %s, low %pad
    {stride = #stride, dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  // All pixels of the output are the rows of one matrix.
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !image

  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%t0 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %acc1 = scf.for %fs = %c0 to %s step %c1 iter_args(%t1 = %t0)
          -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %acc2 = scf.for %kk = %c0 to %k step %c1 iter_args(%t2 = %t1)
            -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
          %pixels = tile.load %a[%fr, %fs, %row, %kk]
            : !image -> tensor<?x1x!in, #tile.shape<"BM", "">>
          %filters = tile.load %f[%fr, %fs, %kk, %col]
            : !image -> tensor<1x?x!in, #tile.shape<"", "BN">>
          %pixels32 = tile.cast %pixels : tensor<?x1x!in, #tile.shape<"BM", "">>
            -> tensor<?x1xf32, #tile.shape<"BM", "">>
          %filters32 = tile.cast %filters : tensor<1x?x!in, #tile.shape<"", "BN">>
            -> tensor<1x?xf32, #tile.shape<"", "BN">>
          %p_all = tile.broadcast %pixels32 : tensor<?x1xf32, #tile.shape<"BM", "">>
            -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
          %f_all = tile.broadcast %filters32 : tensor<1x?xf32, #tile.shape<"", "BN">>
            -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
          %d = math.fma %p_all, %f_all, %t2 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
          scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
        }
        scf.yield %acc2 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      }
      scf.yield %acc1 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
