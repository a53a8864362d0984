// C = softmax of each row of A . B: a product and the row operation behind it. All
// columns are one tile, so BN must be at least N.
//
//   heddle run examples/gemm_softmax.mlir --view a=300x200 --view b=200x100
//     --view c=300x100

!in = f16
!out = f16
#a_order = #tile.order<1, 0>
#b_order = #tile.order<0, 1>

tile.param @BM : {64 to 512 step 64} = 128
tile.param @BN : {64, 128, 192, 256} = 128
tile.param @BK : {32, 64, 128} = 64

!a_tile = tensor<?x?x!in, #tile.shape<"BM", "BK">>
!b_tile = tensor<?x?x!in, #tile.shape<"BK", "BN">>
!tile = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!result = tensor<?x?x!out, #tile.shape<"BM", "BN">>
!row = tensor<?xf32, #tile.shape<"BM">>
!column = tensor<?x1xf32, #tile.shape<"BM", "">>

tile.kernel @gemm_softmax(%a: !tile.view<?x?x!in, #a_order>,
                          %b: !tile.view<?x?x!in, #b_order>, %c: !tile.view<?x?x!out>) {
  %bm = tile.param_value @BM : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %lowest_s = arith.constant 0xFF800000 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x!in, #a_order>
  %n = tile.dim %b, 1 : !tile.view<?x?x!in, #b_order>
  %k = tile.dim %a, 1 : !tile.view<?x?x!in, #a_order>
  %bn = tile.param_value @BN : index
  %fits = arith.cmpi ule, %n, %bn : index
  tile.assert %fits, "all columns are one tile, so BN must be at least N" : i1
  %blocks = arith.ceildivui %m, %bm : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %bm : index
    %zero = tile.splat %f0 : f32 -> !tile
    %product = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (!tile) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?x!in, #a_order> -> !a_tile
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?x!in, #b_order> -> !b_tile
      %d = tile.dot %x, %y, %s : !a_tile, !b_tile -> !tile
      scf.yield %d : !tile
    }

    // Only columns that exist: the others would count as products of 0.
    %n_i32 = arith.index_cast %n : index to i32
    %ends = tile.splat %n_i32 : i32 -> tensor<?xi32, #tile.shape<"BN">>
    %numbers = tile.iota : tensor<?xi32, #tile.shape<"BN">>
    %exists = arith.cmpi slt, %numbers, %ends : tensor<?xi32, #tile.shape<"BN">>
    %exists_row = tile.expand_dims %exists, 0
      : tensor<?xi1, #tile.shape<"BN">> -> tensor<1x?xi1, #tile.shape<"", "BN">>
    %mask = tile.broadcast %exists_row
      : tensor<1x?xi1, #tile.shape<"", "BN">> -> tensor<?x?xi1, #tile.shape<"BM", "BN">>
    %lowest = tile.splat %lowest_s : f32 -> !tile
    %value = arith.select %mask, %product, %lowest
      : tensor<?x?xi1, #tile.shape<"BM", "BN">>, !tile

    %largest = tile.reduce %value axis 1 : !tile -> !row combine (%p: f32, %q: f32) {
      %larger = arith.maximumf %p, %q : f32
      tile.yield %larger : f32
    }
    %largest_column = tile.expand_dims %largest, 1 : !row -> !column
    %largest_tile = tile.broadcast %largest_column : !column -> !tile
    %below = arith.subf %value, %largest_tile : !tile
    %e = math.exp %below : !tile
    %sum = tile.reduce %e axis 1 : !tile -> !row combine (%p: f32, %q: f32) {
      %both = arith.addf %p, %q : f32
      tile.yield %both : f32
    }
    %sum_column = tile.expand_dims %sum, 1 : !row -> !column
    %sum_tile = tile.broadcast %sum_column : !column -> !tile
    %share = arith.divf %e, %sum_tile : !tile
    %o = tile.cast %share : !tile -> !result
    tile.store %o, %c[%row, %c0] : !result, !tile.view<?x?x!out>
  }
}
