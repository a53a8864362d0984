// C = A . B of f32, multiplied as tf32. The orders of A and B are given.
#a_order = #tile.order<1, 0>
#b_order = #tile.order<0, 1>
tile.param @BM : {64, 128} = 128
tile.param @BN : {16, 64, 128, 256} = 128
tile.param @BK : {8, 16, 32, 64} = 32
tile.kernel @gemm(%a: !tile.view<?x?xf32, #a_order>, %b: !tile.view<?x?xf32, #b_order>, %c: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf32, #a_order>
  %n = tile.dim %b, 1 : !tile.view<?x?xf32, #b_order>
  %k = tile.dim %a, 1 : !tile.view<?x?xf32, #a_order>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sum = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf32, #a_order> -> tensor<?x?xf32, #tile.shape<"BM", "BK">>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf32, #b_order> -> tensor<?x?xf32, #tile.shape<"BK", "BN">>
      %d = tile.dot %x, %y, %s {tf32} : tensor<?x?xf32, #tile.shape<"BM", "BK">>, tensor<?x?xf32, #tile.shape<"BK", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    tile.store %sum, %c[%row, %col] : tensor<?x?xf32, #tile.shape<"BM", "BN">>, !tile.view<?x?xf32>
  }
}
