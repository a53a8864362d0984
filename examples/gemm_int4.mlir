// C = A . B with B of integers of 4 bits without a sign, 8 more than they stand for, and a
// scale for each 128 rows and each column of it. A byte holds two rows, 64 apart: byte
// row 64 g + j is rows 128 g + j (low bits) and 128 g + 64 + j. The product is of the
// transposed matrices, as in gemm_int8_turned.
//
//   heddle run examples/gemm_int4.mlir --view a=200x384 --view b=192x136
//     --view scale=3x136 --view c=200x136
//
// A has whole groups of 128 columns. BM is the extent of a tile along the columns of C,
// BN along its rows.

!in = f16
!out = f16

tile.param @BM : {64 to 256 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128

!bytes = tensor<64x?xi8, #tile.shape<"", "BM">>
!turned = tensor<?x64xi8, #tile.shape<"BM", "">>
!weights = tensor<?x64x!in, #tile.shape<"BM", "">>
!rows = tensor<?x64x!in, #tile.shape<"BN", "">>
!columns = tensor<64x?x!in, #tile.shape<"", "BN">>
!sum = tensor<?x?xf32, #tile.shape<"BM", "BN">>

tile.kernel @gemm_int4(%a: !tile.view<?x?x!in>,
                       %b: !tile.view<?x?xi8, #tile.order<0, 1>>,
                       %scale: !tile.view<?x?x!in>,
                       %c: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 64 : index
  %group = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %low_bits = arith.constant 15 : i8
  %four = arith.constant 4 : i8
  %eight = arith.constant 8.0 : !in
  %m = tile.dim %a, 0 : !tile.view<?x?x!in>
  %n = tile.dim %b, 1 : !tile.view<?x?xi8, #tile.order<0, 1>>
  %groups = tile.dim %scale, 0 : !tile.view<?x?x!in>
  %gn = arith.ceildivui %n, %bm : index
  %gm = arith.ceildivui %m, %bn : index
  tile.parallel (%j, %i) to (%gn, %gm) {
    %col = arith.muli %j, %bm : index
    %row = arith.muli %i, %bn : index
    %zero = tile.splat %f0 : f32 -> !sum
    %mask = tile.splat %low_bits : i8 -> !turned
    %by = tile.splat %four : i8 -> !turned
    %more = tile.splat %eight : !in -> !weights
    %acc = scf.for %g = %c0 to %groups step %c1 iter_args(%s = %zero) -> (!sum) {
      %in_b = arith.muli %g, %half : index
      %kk = arith.muli %g, %group : index
      %kk_high = arith.addi %kk, %half : index
      %q = tile.load %b[%in_b, %col] : !tile.view<?x?xi8, #tile.order<0, 1>> -> !bytes
      %qt = tile.trans %q, [1, 0] : !bytes -> !turned
      %f = tile.load %scale[%g, %col] : !tile.view<?x?x!in> -> tensor<?x!in, #tile.shape<"BM">>
      %f1 = tile.expand_dims %f, 1 : tensor<?x!in, #tile.shape<"BM">> -> tensor<?x1x!in, #tile.shape<"BM", "">>
      %fs = tile.broadcast %f1 : tensor<?x1x!in, #tile.shape<"BM", "">> -> !weights
      %low = arith.andi %qt, %mask : !turned
      %low_f = arith.uitofp %low : !turned to !weights
      %low_w = arith.subf %low_f, %more : !weights
      %low_x = arith.mulf %low_w, %fs : !weights
      %y = tile.load %a[%row, %kk] : !tile.view<?x?x!in> -> !rows
      %yt = tile.trans %y, [1, 0] : !rows -> !columns
      %d = tile.dot %low_x, %yt, %s : !weights, !columns -> !sum
      %high = arith.shrui %qt, %by : !turned
      %high_f = arith.uitofp %high : !turned to !weights
      %high_w = arith.subf %high_f, %more : !weights
      %high_x = arith.mulf %high_w, %fs : !weights
      %z = tile.load %a[%row, %kk_high] : !tile.view<?x?x!in> -> !rows
      %zt = tile.trans %z, [1, 0] : !rows -> !columns
      %e = tile.dot %high_x, %zt, %d : !weights, !columns -> !sum
      scf.yield %e : !sum
    }
    %o = tile.cast %acc : !sum -> tensor<?x?x!out, #tile.shape<"BM", "BN">>
    %ot = tile.trans %o, [1, 0]
      : tensor<?x?x!out, #tile.shape<"BM", "BN">> -> tensor<?x?x!out, #tile.shape<"BN", "BM">>
    tile.store %ot, %c[%row, %col]
      : tensor<?x?x!out, #tile.shape<"BN", "BM">>, !tile.view<?x?x!out>
  }
}
