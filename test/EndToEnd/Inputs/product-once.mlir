// A product outside of any loop, of whatever shape.
!in = f16
tile.param @BM : {16, 32, 64, 128} = 16
tile.param @BN : {8, 16, 32, 64, 128} = 16
tile.param @BK : {16, 32, 64} = 16
!a = tensor<?x?x!in, #tile.shape<"BM", "BK">>
!b = tensor<?x?x!in, #tile.shape<"BK", "BN">>
!sums = tensor<?x?xf32, #tile.shape<"BM", "BN">>
tile.kernel @product_once(%a: !tile.view<?x?x!in>, %b: !tile.view<?x?x!in>, %c: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x!in>
  %n = tile.dim %b, 1 : !tile.view<?x?x!in>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> !sums
    %x = tile.load %a[%row, %c0] : !tile.view<?x?x!in> -> !a
    %y = tile.load %b[%c0, %col] : !tile.view<?x?x!in> -> !b
    %d = tile.dot %x, %y, %zero : !a, !b -> !sums
    tile.store %d, %c[%row, %col] : !sums, !tile.view<?x?xf32>
  }
}
