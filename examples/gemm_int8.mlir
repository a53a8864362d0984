// C = A . B with B of 8-bit integers and a scale for each 128 rows and each column
// of it: weights that are stored in a quarter of the bits. Threads widen and scale
// each tile of B on its way to the tensor core.
//
//   heddle run examples/gemm_int8.mlir --view a=200x320 --view b=320x136
//     --view scale=3x136 --view c=200x136
//
// `--set in=bf16` varies it; rows of `scale` are those of B, 128 at a time.

!in = f16
!out = f16

tile.param @BM : {16 to 256 step 16} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

tile.kernel @gemm_int8(%a: !tile.view<?x?x!in>,
                       %b: !tile.view<?x?xi8, #tile.order<0, 1>>,
                       %scale: !tile.view<?x?x!in>,
                       %c: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %group = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x!in>
  %n = tile.dim %b, 1 : !tile.view<?x?xi8, #tile.order<0, 1>>
  %k = tile.dim %a, 1 : !tile.view<?x?x!in>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %x = tile.load %a[%row, %kk]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %q = tile.load %b[%kk, %col]
        : !tile.view<?x?xi8, #tile.order<0, 1>> -> tensor<?x?xi8, #tile.shape<"BK", "BN">>
      %g = arith.divui %kk, %group : index
      %f = tile.load %scale[%g, %col]
        : !tile.view<?x?x!in> -> tensor<?x!in, #tile.shape<"BN">>
      %f1 = tile.expand_dims %f, 0 : tensor<?x!in, #tile.shape<"BN">> -> tensor<1x?x!in, #tile.shape<"", "BN">>
      %fs = tile.broadcast %f1 : tensor<1x?x!in, #tile.shape<"", "BN">> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %w = arith.sitofp %q : tensor<?x?xi8, #tile.shape<"BK", "BN">> to tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %y = arith.mulf %w, %fs : tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %d = tile.dot %x, %y, %s
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %c[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
