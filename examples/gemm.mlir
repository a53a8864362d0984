// C = A . B with an f32 accumulator, A of M x K, B of K x N, any M, N, K >= 0.
// B is given transposed by default (its axis 0 is contiguous).
//
//   heddle run examples/gemm.mlir --view a=512x256 --view b=256x512 --view c=512x512
//
// `--set in=bf16`, `--set b_order='#tile.order<1, 0>'` or `--set BM=64` vary it;
// `--set max_imprecise_acc='64 : i64' --set BM=256 --set BN=128` joins the sums of 64
// products in full f32, which matters where the result is f32. Of 8-bit floats (with
// BK=128) 128 products are summed so unless `--set fast_sums=true`.

!in = f16
!out = f16
#a_order = #tile.order<1, 0>
#b_order = #tile.order<0, 1>
#max_imprecise_acc = 0 : i64
#fast_sums = false

tile.param @BM : {16, 32, 64 to 512 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 256
tile.param @BK : {32, 64, 128} = 64

tile.kernel @gemm(%a: !tile.view<?x?x!in, #a_order>,
                  %b: !tile.view<?x?x!in, #b_order>,
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
      %d = tile.dot %x, %y, %s {max_imprecise_acc = #max_imprecise_acc, fast_sums = #fast_sums}
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
