// Loops around the one that sums only carry its sum: here every window row halves it.
// RUN: %expect 2 heddle compile %s --or-tile parts=auto -o %t.ptx
// expect: 24:12: error: the sums of the program cannot be made in parts: its loop carries a value that is no sum of products or of integers, whose order is free [sums-undivided]
tile.param @BM : {64} = 64
tile.param @BN : {64} = 64
tile.param @BK : {64} = 64
tile.kernel @k(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>, %c: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %c, 0 : !tile.view<?x?xf32>
  %n = tile.dim %c, 1 : !tile.view<?x?xf32>
  %r = tile.dim %a, 0 : !tile.view<?x?x?xf16>
  %k = tile.dim %a, 2 : !tile.view<?x?x?xf16>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %fr = %c0 to %r step %c1 iter_args(%s = %zero) -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %half = arith.mulf %s, %s : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      %in = scf.for %kk = %c0 to %k step %bk iter_args(%t = %half) -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
        %x = tile.load %a[%fr, %row, %kk] : !tile.view<?x?x?xf16> -> tensor<?x?xf16, #tile.shape<"BM", "BK">>
        %y = tile.load %b[%fr, %kk, %col] : !tile.view<?x?x?xf16> -> tensor<?x?xf16, #tile.shape<"BK", "BN">>
        %d = tile.dot %x, %y, %t : tensor<?x?xf16, #tile.shape<"BM", "BK">>, tensor<?x?xf16, #tile.shape<"BK", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
        scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
      }
      scf.yield %in : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    tile.store %acc, %c[%row, %col] : tensor<?x?xf32, #tile.shape<"BM", "BN">>, !tile.view<?x?xf32>
  }
}
