// 8-bit floats whose columns are contiguous, of which wgmma reads only the other
// order: threads turn them. A is scaled and rounded to 8 bits in the loop.
tile.param @BM : {64, 128} = 128
tile.param @BN : {64, 128} = 64
!a = tensor<?x64xf8E4M3FN, #tile.shape<"BM", "">>
!a_wide = tensor<?x64xf32, #tile.shape<"BM", "">>
!b = tensor<64x?xf8E4M3FN, #tile.shape<"", "BN">>
!sums = tensor<?x?xf32, #tile.shape<"BM", "BN">>
tile.kernel @turned(%a: !tile.view<?x?xf8E4M3FN>, %b: !tile.view<?x?xf8E4M3FN>, %c: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf8E4M3FN>
  %k = tile.dim %a, 1 : !tile.view<?x?xf8E4M3FN>
  %n = tile.dim %b, 1 : !tile.view<?x?xf8E4M3FN>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> !sums
    %sum = scf.for %kk = %c0 to %k step %c64 iter_args(%acc = %zero) -> (!sums) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf8E4M3FN> -> !a
      %wide = tile.cast %x : !a -> !a_wide
      %halves = tile.splat %half : f32 -> !a_wide
      %scaled = arith.mulf %wide, %halves : !a_wide
      %x8 = tile.cast %scaled : !a_wide -> !a
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf8E4M3FN> -> !b
      %d = tile.dot %x8, %y, %acc : !a, !b -> !sums
      scf.yield %d : !sums
    }
    tile.store %sum, %c[%row, %col] : !sums, !tile.view<?x?xf32>
  }
}
