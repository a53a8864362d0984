// Y = convolution of X by F, both NHWC-like: X is images x rows x columns x channels,
// F is rows x columns x channels x outputs, Y is images x rows x columns x outputs.
// A product of two matrices: a row of the left one is a window of X, which is never
// written down. What lies outside of X is zero; the extents of Y say how many windows
// there are.
//
//   heddle run examples/conv/forward.mlir --view x=2x14x14x32 --view f=3x3x32x64
//     --view y=2x14x14x64
//
// `--set stride='2 : i64'`, `--set dilation=...` and `--set pad='0 : index'` vary it; both
// directions have the same.

!in = f16
!out = f16
#stride = 1 : i64
#dilation = 1 : i64
#pad = 1 : index

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

tile.kernel @conv(%x: !tile.view<?x?x?x?x!in>, %f: !tile.view<?x?x?x?x!in>,
                  %y: !tile.view<?x?x?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %pad = arith.constant #pad
  %p = tile.dim %y, 1 : !tile.view<?x?x?x?x!out>
  %q = tile.dim %y, 2 : !tile.view<?x?x?x?x!out>
  %n = tile.dim %y, 3 : !tile.view<?x?x?x?x!out>
  %r = tile.dim %f, 0 : !tile.view<?x?x?x?x!in>
  %s = tile.dim %f, 1 : !tile.view<?x?x?x?x!in>
  %k = tile.dim %f, 2 : !tile.view<?x?x?x?x!in>

  // Window row, window column, image, row and column of the output, channel.
  %rows = tile.window %x axis 1 extent %p, window 0 extent %r, low %pad
    {stride = #stride, dilation = #dilation}
    : !tile.view<?x?x?x?x!in> -> !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %q, window 1 extent %s, low %pad
    {stride = #stride, dilation = #dilation}
    : !tile.view<?x?x?x?x?x!in, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
  // All pixels of the output are the rows of one matrix.
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<?x?x?x?x?x?x!in, #tile.order<5, 4, 1, 3, 0, 2>>
      -> !tile.view<?x?x?x?x!in, #tile.order<3, 2, 1, 0>>
  %c = tile.merge %y axes 0 to 2 : !tile.view<?x?x?x?x!out> -> !tile.view<?x?x!out>
  %m = tile.dim %c, 0 : !tile.view<?x?x!out>

  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%s0 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %acc1 = scf.for %fs = %c0 to %s step %c1 iter_args(%s1 = %s0)
          -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %acc2 = scf.for %kk = %c0 to %k step %bk iter_args(%s2 = %s1)
            -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
          %pixels = tile.load %a[%fr, %fs, %row, %kk]
            : !tile.view<?x?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
          %filters = tile.load %f[%fr, %fs, %kk, %col]
            : !tile.view<?x?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
          %d = tile.dot %pixels, %filters, %s2
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
    tile.store %o, %c[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
