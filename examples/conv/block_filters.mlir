// The filters as `data_gradient_blocks` takes them: a row for each pixel and channel of a block of
// pixels, at each place of the result's gradient that the block meets. F is as `forward` takes it,
// G is place rows x place columns x (rows, columns and channels of a block) x outputs; pairs that
// no window has are zero. A block of stepH window strides has stepH * strideH rows.
//
//   heddle run examples/conv/block_filters.mlir --view f=3x3x32x64 --view g=2x2x128x64
//
// `--set strideH=1`, `--set stepH=4`, `--set blockH=4` and the same of W vary it; a block is a step
// times a stride. There are (window - 1) / stride + step places.

!in = f16
#strideH = 2 : i64
#strideW = 2 : i64
#stepH = 1 : index
#stepW = 1 : index
#blockH = 2 : index
#blockW = 2 : index

tile.param @BM : {16, 32, 64, 128} = 16
tile.param @BN : {16, 32, 64, 128} = 64

tile.kernel @block_filters(%f: !tile.view<?x?x?x?x!in>, %g: !tile.view<?x?x?x?x!in>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c1 = arith.constant 1 : index
  %strideH64 = arith.constant #strideH
  %strideH = arith.index_cast %strideH64 : i64 to index
  %strideW64 = arith.constant #strideW
  %strideW = arith.index_cast %strideW64 : i64 to index
  %stepH = arith.constant #stepH
  %stepW = arith.constant #stepW
  %blockH = arith.constant #blockH
  %blockW = arith.constant #blockW
  %x = tile.dim %g, 0 : !tile.view<?x?x?x?x!in>
  %y = tile.dim %g, 1 : !tile.view<?x?x?x?x!in>
  %m = tile.dim %g, 2 : !tile.view<?x?x?x?x!in>
  %n = tile.dim %g, 3 : !tile.view<?x?x?x?x!in>

  // The first place is that of the last window which begins in the block.
  %behindH = arith.subi %stepH, %c1 : index
  %behindW = arith.subi %stepW, %c1 : index
  %lowH = arith.muli %behindH, %strideH : index
  %lowW = arith.muli %behindW, %strideW : index

  // Place row, place column, row and column of the block, channel, output.
  %rows = tile.window %f axis 0 extent %x, window 2 extent %blockH, low %lowH
    {stride = #strideH}
    : !tile.view<?x?x?x?x!in> -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 1, 0, 2>>
  %pairs = tile.window %rows axis 1 extent %y, window 3 extent %blockW, low %lowW
    {stride = #strideW}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 1, 0, 2>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  %a = tile.merge %pairs axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>> -> !tile.view<?x?x?x?x!in>

  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j, %r, %s) to (%x, %y, %gm, %gn) {
    %row = arith.muli %r, %bm : index
    %col = arith.muli %s, %bn : index
    %t = tile.load %a[%i, %j, %row, %col]
      : !tile.view<?x?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BN">>
    tile.store %t, %g[%i, %j, %row, %col]
      : tensor<?x?x!in, #tile.shape<"BM", "BN">>, !tile.view<?x?x?x?x!in>
  }
}
