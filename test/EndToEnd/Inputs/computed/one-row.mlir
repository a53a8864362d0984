// As examples/gemm_int8, with scales that are read as a tile of one row: its rows of bytes are
// longer than a swizzle, and eight of them do not stand one below the other.

!in = f16
!out = f16

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

tile.kernel @one_row(%a: !tile.view<?x?x!in>,
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
        : !tile.view<?x?x!in> -> tensor<1x?x!in, #tile.shape<"", "BN">>
      %fs = tile.broadcast %f : tensor<1x?x!in, #tile.shape<"", "BN">> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
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
