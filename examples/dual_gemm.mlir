// C = (A . B1) * silu(A . B2), silu(x) = x / (1 + exp(-x)): the gated product of
// a transformer's feed-forward layer. One loop, two dots, A's tile read once.
//
//   heddle run examples/dual_gemm.mlir --view a=512x256 --view b1=256x512
//     --view b2=256x512 --view c=512x512

!in = f16
!out = f16
#a_order = #tile.order<1, 0>
#b_order = #tile.order<0, 1>

tile.param @BM : {64 to 512 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @BK : {32, 64, 128} = 64

tile.kernel @dual_gemm(%a: !tile.view<?x?x!in, #a_order>,
                       %b1: !tile.view<?x?x!in, #b_order>,
                       %b2: !tile.view<?x?x!in, #b_order>,
                       %c: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x!in, #a_order>
  %n = tile.dim %b1, 1 : !tile.view<?x?x!in, #b_order>
  %k = tile.dim %a, 1 : !tile.view<?x?x!in, #a_order>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %up, %gate = scf.for %kk = %c0 to %k step %bk iter_args(%s1 = %zero, %s2 = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>, tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %x = tile.load %a[%row, %kk]
        : !tile.view<?x?x!in, #a_order> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %y1 = tile.load %b1[%kk, %col]
        : !tile.view<?x?x!in, #b_order> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %y2 = tile.load %b2[%kk, %col]
        : !tile.view<?x?x!in, #b_order> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %d1 = tile.dot %x, %y1, %s1
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %d2 = tile.dot %x, %y2, %s2
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d1, %d2
        : tensor<?x?xf32, #tile.shape<"BM", "BN">>, tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }

    %one_s = arith.constant 1.0 : f32
    %one = tile.splat %one_s : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %minus = arith.negf %gate : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %e = math.exp %minus : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %below = arith.addf %one, %e : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %silu = arith.divf %gate, %below : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %g = arith.mulf %up, %silu : tensor<?x?xf32, #tile.shape<"BM", "BN">>

    %o = tile.cast %g : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                     -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %c[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
