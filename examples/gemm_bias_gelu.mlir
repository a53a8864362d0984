// C = gelu(A . B + bias), one bias value a column; gelu in its tanh form,
// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), computed in f32.
//
//   heddle run examples/gemm_bias_gelu.mlir --view a=512x256 --view b=256x512
//     --view bias=512 --view c=512x512

!in = f16
!out = f16
!bias = f32
#a_order = #tile.order<1, 0>
#b_order = #tile.order<0, 1>

tile.param @BM : {64 to 512 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 256
tile.param @BK : {32, 64, 128} = 64

tile.kernel @gemm_bias_gelu(%a: !tile.view<?x?x!in, #a_order>,
                            %b: !tile.view<?x?x!in, #b_order>,
                            %bias: !tile.view<?x!bias>,
                            %c: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x!in, #a_order>
  %n = tile.dim %b, 1 : !tile.view<?x?x!in, #b_order>
  %k = tile.dim %a, 1 : !tile.view<?x?x!in, #a_order>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %x = tile.load %a[%row, %kk]
        : !tile.view<?x?x!in, #a_order> -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %y = tile.load %b[%kk, %col]
        : !tile.view<?x?x!in, #b_order> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %d = tile.dot %x, %y, %s
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }

    %bias_in = tile.load %bias[%col] : !tile.view<?x!bias> -> tensor<?x!bias, #tile.shape<"BN">>
    %bias_f32 = tile.cast %bias_in : tensor<?x!bias, #tile.shape<"BN">>
                                  -> tensor<?xf32, #tile.shape<"BN">>
    %bias_row = tile.expand_dims %bias_f32, 0 : tensor<?xf32, #tile.shape<"BN">>
                                             -> tensor<1x?xf32, #tile.shape<"", "BN">>
    %bias_tile = tile.broadcast %bias_row : tensor<1x?xf32, #tile.shape<"", "BN">>
                                         -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %v = arith.addf %acc, %bias_tile : tensor<?x?xf32, #tile.shape<"BM", "BN">>

    %half_s = arith.constant 0.5 : f32
    %one_s = arith.constant 1.0 : f32
    %cubic_s = arith.constant 0.044715 : f32
    %scale_s = arith.constant 0.7978845608 : f32
    %half = tile.splat %half_s : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %one = tile.splat %one_s : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %cubic = tile.splat %cubic_s : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %scale = tile.splat %scale_s : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %v2 = arith.mulf %v, %v : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %v3 = arith.mulf %v2, %v : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %w0 = arith.mulf %cubic, %v3 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %w1 = arith.addf %v, %w0 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %w2 = arith.mulf %scale, %w1 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %t = math.tanh %w2 : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %u = arith.addf %one, %t : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %h = arith.mulf %half, %v : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %g = arith.mulf %h, %u : tensor<?x?xf32, #tile.shape<"BM", "BN">>

    %o = tile.cast %g : tensor<?x?xf32, #tile.shape<"BM", "BN">>
                     -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %c[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
