// G = the sum of D's parts, rounded once: what `weight_gradient` leaves to be added, in the order of
// the parts, so that two launches give the same bits.
//
//   heddle run examples/conv/sum_parts.mlir --view d=4x288x64 --view g=288x64

!out = f16
!sum = tensor<?x?xf32, #tile.shape<"BM", "BN">>

tile.param @BM : {1, 2, 4, 8, 16, 32, 64} = 8
tile.param @BN : {16, 32, 64, 128} = 64

tile.kernel @sum_parts(%d: !tile.view<?x?x?xf32>, %g: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %parts = tile.dim %d, 0 : !tile.view<?x?x?xf32>
  %m = tile.dim %g, 0 : !tile.view<?x?x!out>
  %n = tile.dim %g, 1 : !tile.view<?x?x!out>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> !sum
    // Eight parts at a time, whose loads are under way together; behind the last all is zero.
    %sum = scf.for %part = %c0 to %parts step %c8 iter_args(%t = %zero) -> (!sum) {
      %part1 = arith.addi %part, %c1 : index
      %part2 = arith.addi %part, %c2 : index
      %part3 = arith.addi %part, %c3 : index
      %part4 = arith.addi %part, %c4 : index
      %part5 = arith.addi %part, %c5 : index
      %part6 = arith.addi %part, %c6 : index
      %part7 = arith.addi %part, %c7 : index
      %one0 = tile.load %d[%part, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one1 = tile.load %d[%part1, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one2 = tile.load %d[%part2, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one3 = tile.load %d[%part3, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one4 = tile.load %d[%part4, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one5 = tile.load %d[%part5, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one6 = tile.load %d[%part6, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %one7 = tile.load %d[%part7, %row, %col]
        : !tile.view<?x?x?xf32> -> !sum
      %t1 = arith.addf %t, %one0 : !sum
      %t2 = arith.addf %t1, %one1 : !sum
      %t3 = arith.addf %t2, %one2 : !sum
      %t4 = arith.addf %t3, %one3 : !sum
      %t5 = arith.addf %t4, %one4 : !sum
      %t6 = arith.addf %t5, %one5 : !sum
      %t7 = arith.addf %t6, %one6 : !sum
      %t8 = arith.addf %t7, %one7 : !sum
      scf.yield %t8 : !sum
    }
    %o = tile.cast %sum : !sum
                       -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    tile.store %o, %g[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">>, !tile.view<?x?x!out>
  }
}
