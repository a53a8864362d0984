// The same convolution as `forward`, for few channels: the places of a window and the
// channels are one axis, so no part of a tile is zero for want of channels. F is a matrix
// with a row for each place and channel, in that order; windows are squares.
//
//   heddle run examples/conv/columns.mlir --view x=2x14x14x3 --view f=27x64 --view y=392x64
//
// `--set window=5` and what `forward` takes vary it.

!in = f16
!out = f16
#stride = 1 : i64
#dilation = 1 : i64
#pad = 1 : index
#window = 3 : index

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

!image = !tile.view<?x?x?x?x!in>

tile.kernel @columns(%x: !image, %f: !tile.view<?x?x!in>, %y: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
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
  %r = arith.constant #window
  %s = arith.constant #window
  %k = tile.dim %f, 0 : !tile.view<?x?x!in>
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

  // Image, row and column of the output, window row, window column, channel.
  %rows = tile.window %x axis 1 extent %p, window 3 extent %r, low %pad
    {stride = #stride, dilation = #dilation}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 2, 1, 3, 0>>
  %windows = tile.window %rows axis 2 extent %q, window 4 extent %s, low %pad
    {stride = #stride, dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 2, 1, 3, 0>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 2, 4, 1, 3, 0>>
  %pixels = tile.merge %windows axes 0 to 2
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 2, 4, 1, 3, 0>>
      -> !tile.view<?x?x?x?x!in, #tile.order<3, 0, 2, 1>>
  %a = tile.merge %pixels axes 1 to 3
    : !tile.view<?x?x?x?x!in, #tile.order<3, 0, 2, 1>> -> !tile.view<?x?x!in>

  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%t = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %left = tile.load %a[%row, %kk]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %right = tile.load %f[%kk, %col]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %d = tile.dot %left, %right, %t
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %y[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
