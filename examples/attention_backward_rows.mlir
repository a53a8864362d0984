// What the backward pass of attention needs of each query: delta[i] = sum over d of
// dO[i, d] * O[i, d], in f32.
//
//   heddle run examples/attention_backward_rows.mlir --view d_o=2x300x64 --view o=2x300x64
//     --view delta=2x300

!in = f16

tile.param @BM : {16 to 256 step 16} = 32
tile.param @D : {16 to 256 step 16} = 64

!queries = tensor<?x?x!in, #tile.shape<"BM", "D">>
!wide = tensor<?x?xf32, #tile.shape<"BM", "D">>
!per_query = tensor<?xf32, #tile.shape<"BM">>

tile.kernel @attention_backward_rows(%d_o: !tile.view<?x?x?x!in>, %o: !tile.view<?x?x?x!in>,
                                     %delta: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %c0 = arith.constant 0 : index
  %heads = tile.dim %o, 0 : !tile.view<?x?x?x!in>
  %rows = tile.dim %o, 1 : !tile.view<?x?x?x!in>
  %blocks = arith.ceildivui %rows, %bm : index
  tile.parallel (%head, %i) to (%heads, %blocks) {
    %row = arith.muli %i, %bm : index
    %dos = tile.load %d_o[%head, %row, %c0] : !tile.view<?x?x?x!in> -> !queries
    %os = tile.load %o[%head, %row, %c0] : !tile.view<?x?x?x!in> -> !queries
    %dos_wide = tile.cast %dos : !queries -> !wide
    %os_wide = tile.cast %os : !queries -> !wide
    %products = arith.mulf %dos_wide, %os_wide : !wide
    %sums = tile.reduce %products axis 1 : !wide -> !per_query combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %sums, %delta[%head, %row] : !per_query, !tile.view<?x?xf32>
  }
}
