// The product of gemm_int8, transposed: what threads make is the left operand then, which comes from
// registers, and no slot is written for it.
//
//   heddle run examples/gemm_int8_turned.mlir --view a=200x320 --view b=320x136
//     --view scale=3x136 --view c=200x136
//
// BM is the extent of a tile along the columns of C here, BN along its rows.

!in = f16
!out = f16

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 256
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
  %gn = arith.ceildivui %n, %bm : index
  %gm = arith.ceildivui %m, %bn : index
  tile.parallel (%j, %i) to (%gn, %gm) {
    %col = arith.muli %j, %bm : index
    %row = arith.muli %i, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %q = tile.load %b[%kk, %col]
        : !tile.view<?x?xi8, #tile.order<0, 1>> -> tensor<?x?xi8, #tile.shape<"BK", "BM">>
      %qt = tile.trans %q, [1, 0] : tensor<?x?xi8, #tile.shape<"BK", "BM">> -> tensor<?x?xi8, #tile.shape<"BM", "BK">>
      %g = arith.divui %kk, %group : index
      %f = tile.load %scale[%g, %col]
        : !tile.view<?x?x!in> -> tensor<?x!in, #tile.shape<"BM">>
      %f1 = tile.expand_dims %f, 1 : tensor<?x!in, #tile.shape<"BM">> -> tensor<?x1x!in, #tile.shape<"BM", "">>
      %fs = tile.broadcast %f1 : tensor<?x1x!in, #tile.shape<"BM", "">> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %w = arith.sitofp %qt : tensor<?x?xi8, #tile.shape<"BM", "BK">> to tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %x = arith.mulf %w, %fs : tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %y = tile.load %a[%row, %kk]
        : !tile.view<?x?x!in> -> tensor<?x?x!in, #tile.shape<"BN", "BK">>
      %yt = tile.trans %y, [1, 0] : tensor<?x?x!in, #tile.shape<"BN", "BK">> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %d = tile.dot %x, %yt, %s
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    %ot = tile.trans %o, [1, 0] : tensor<?x?x!out, #tile.shape<"BM", "BN">> -> tensor<?x?x!out, #tile.shape<"BN", "BM">>
    tile.store %ot, %c[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BN", "BM">>, !tile.view<?x?x!out>
  }
}
