// A product of any tile: what wgmma does not take, warps or threads do.
!in = f16
!sum = f32
tile.param @BM : {8, 16, 32, 48, 64, 80, 96, 128} = 16
tile.param @BN : {8, 16, 24, 32, 40, 48, 64, 96, 128} = 32
tile.param @BK : {4, 8, 16, 32, 64} = 32
!a = tensor<?x?x!in, #tile.shape<"BM", "BK">>
!b = tensor<?x?x!in, #tile.shape<"BK", "BN">>
!sums = tensor<?x?x!sum, #tile.shape<"BM", "BN">>
tile.kernel @small_product(%a: !tile.view<?x?x!in>, %b: !tile.view<?x?x!in>, %c: !tile.view<?x?x!sum>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : !sum
  %m = tile.dim %a, 0 : !tile.view<?x?x!in>
  %k = tile.dim %a, 1 : !tile.view<?x?x!in>
  %n = tile.dim %b, 1 : !tile.view<?x?x!in>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : !sum -> !sums
    %sum = scf.for %kk = %c0 to %k step %bk iter_args(%acc = %zero) -> (!sums) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?x!in> -> !a
      %y = tile.load %b[%kk, %col] : !tile.view<?x?x!in> -> !b
      %d = tile.dot %x, %y, %acc : !a, !b -> !sums
      scf.yield %d : !sums
    }
    tile.store %sum, %c[%row, %col] : !sums, !tile.view<?x?x!sum>
  }
}
