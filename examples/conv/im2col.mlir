// A matrix with a row for each window of X: E is images x rows x columns of the output, one
// behind the other, by window rows x window columns x channels. A product with the filters
// (`gemm`) is then the convolution; windows overlap, so that E has each element of X many
// times. `columns` multiplies the same view without writing it down.
//
//   heddle run examples/conv/im2col.mlir --device=cpu --view x=2x14x14x3 --view e=392x27

!in = f16
#stride = 1 : i64
#dilation = 1 : i64
#pad = 1 : index
#window = 3 : index

tile.param @BM : {16 to 256 step 16} = 64
tile.param @BK : {32, 64, 128} = 128

!image = !tile.view<?x?x?x?x!in>

tile.kernel @im2col(%x: !image, %e: !tile.view<?x?x!in>) {
  %bm = tile.param_value @BM : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant #pad
  %stride64 = arith.constant #stride
  %stride = arith.index_cast %stride64 : i64 to index
  %dilation64 = arith.constant #dilation
  %dilation = arith.index_cast %dilation64 : i64 to index
  %h = tile.dim %x, 1 : !image
  %w = tile.dim %x, 2 : !image
  %r = arith.constant #window
  %s = arith.constant #window
  %m = tile.dim %e, 0 : !tile.view<?x?x!in>
  %k = tile.dim %e, 1 : !tile.view<?x?x!in>

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
  %gk = arith.ceildivui %k, %bk : index
  tile.parallel (%i, %j) to (%gm, %gk) {
    %row = arith.muli %i, %bm : index
    %place = arith.muli %j, %bk : index
    %t = tile.load %a[%row, %place]
      : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
    tile.store %t, %e[%row, %place]
      : tensor<?x?x!in, #tile.shape<"BM", "BK">>, !tile.view<?x?x!in>
  }
}
