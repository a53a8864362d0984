// The windows' rows side by side: E is images x rows of the output x columns of the image
// with its rim x run, where a run has, for one column, what the window's rows hold there:
// row by row, all channels. Neighbouring windows of E overlap, so that it has stride times
// fewer elements than a matrix with a row for each window; `rows` multiplies it.
//
//   heddle run examples/conv/im2win.mlir --view x=2x14x14x3 --view e=2x14x16x16 --scalar r=3
//
// A run may be longer than window rows times channels: the rest is zero. With a multiple of
// 8 of them, TMA can load E. `--set stride=2`, `--set dilation=2` are those of window rows, and
// `pad` is the rim in front of rows and columns, unless `padH` is that of rows.

!in = f16
#stride = 1 : i64
#dilation = 1 : i64
#pad = 1 : index
#padH = #pad

tile.param @BW : {16 to 256 step 16} = 64
tile.param @BR : {16, 32, 64} = 64

!image = !tile.view<?x?x?x?x!in>

tile.kernel @im2win(%x: !image, %e: !image, %r: index) {
  %bw = tile.param_value @BW : index
  %br = tile.param_value @BR : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant #pad
  %padH = arith.constant #padH
  %images = tile.dim %e, 0 : !image
  %p = tile.dim %e, 1 : !image
  %w = tile.dim %e, 2 : !image
  %run = tile.dim %e, 3 : !image

  // Image, row of the output, column, window row, channel. The rim of a row is a window of
  // one column, whose place is in front.
  %rows = tile.window %x axis 1 extent %p, window 3 extent %r, low %padH
    {stride = #stride, dilation = #dilation}
    : !image -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 2, 1, 3, 0>>
  %rim = tile.window %rows axis 2 extent %w, window 0 extent %c1, low %pad
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 2, 1, 3, 0>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 3, 0, 2, 4, 1>>
  %a = tile.merge %rim axes 4 to 5
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 3, 0, 2, 4, 1>>
      -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 0, 2, 1>>

  %gw = arith.ceildivui %w, %bw : index
  %gr = arith.ceildivui %run, %br : index
  tile.parallel (%image, %row, %i, %j) to (%images, %p, %gw, %gr) {
    %column = arith.muli %i, %bw : index
    %place = arith.muli %j, %br : index
    %t = tile.load %a[%c0, %image, %row, %column, %place]
      : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 0, 2, 1>> -> tensor<?x?x!in, #tile.shape<"BW", "BR">>
    tile.store %t, %e[%image, %row, %column, %place]
      : tensor<?x?x!in, #tile.shape<"BW", "BR">>, !image
  }
}
