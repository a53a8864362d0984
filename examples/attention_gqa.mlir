// Grouped-query attention: fewer heads of keys and values than of queries, and as
// many heads of queries in a row share one. Query i sees key j if j <= i + keys -
// queries, as in attention_causal. Axis 0 counts batch times heads, of q and o all
// heads, of k and v those that are shared; the first must be a multiple of the second.
//
//   heddle run examples/attention_gqa.mlir --view q=4x300x128 --view k=2x300x128
//     --view v=2x300x128 --view o=4x300x128 --scalar scale=0.0883883

!in = f16
!out = f16

tile.param @BM : {64 to 384 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @D : {16 to 256 step 16} = 128

!query = tensor<?x?x!in, #tile.shape<"BM", "D">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!keys_t = tensor<?x?x!in, #tile.shape<"D", "BN">>
!scores = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!weights = tensor<?x?x!in, #tile.shape<"BM", "BN">>
!sums = tensor<?x?xf32, #tile.shape<"BM", "D">>
!result = tensor<?x?x!out, #tile.shape<"BM", "D">>
!row = tensor<?xf32, #tile.shape<"BM">>
!column = tensor<?x1xf32, #tile.shape<"BM", "">>
!numbers = tensor<?x?xi32, #tile.shape<"BM", "BN">>

tile.kernel @attention_gqa(%q: !tile.view<?x?x?x!in>, %k: !tile.view<?x?x?x!in>,
                           %v: !tile.view<?x?x?x!in>, %o: !tile.view<?x?x?x!out>,
                           %scale: f32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %heads = tile.dim %q, 0 : !tile.view<?x?x?x!in>
  %shared = tile.dim %k, 0 : !tile.view<?x?x?x!in>
  %queries = tile.dim %q, 1 : !tile.view<?x?x?x!in>
  %keys = tile.dim %k, 1 : !tile.view<?x?x?x!in>
  %blocks = arith.ceildivui %queries, %bm : index
  %ahead = arith.subi %keys, %queries : index
  %divisor = arith.maxsi %shared, %c1 : index
  %group = arith.divui %heads, %divisor : index
  %covered = arith.muli %group, %shared : index
  %evenly = arith.cmpi eq, %covered, %heads : index
  tile.assert %evenly, "the heads of q are a multiple of those of k" : i1
  tile.parallel (%r, %head) to (%blocks, %heads) {
    // Neighbouring heads read the same keys.
    %source = arith.divui %head, %group : index

    // The longest rows first: what is left at the end is short.
    %last = arith.subi %blocks, %c1 : index
    %i = arith.subi %last, %r : index
    %row = arith.muli %i, %bm : index
    // Row m of the tile sees keys below first + m + 1.
    %first = arith.addi %row, %ahead : index
    %below = arith.addi %first, %bm : index
    %seen = arith.minsi %below, %keys : index
    %end = arith.maxsi %seen, %c0 : index
    %qs = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?x!in> -> !query
    %c_scores = tile.splat %c : f32 -> !scores
    %c_row = tile.splat %c : f32 -> !row
    %no_scores = tile.splat %f0 : f32 -> !scores
    %masked = tile.splat %lowest : f32 -> !scores
    %m_start = tile.splat %lowest : f32 -> !row
    %l_start = tile.splat %f0 : f32 -> !row
    %o_start = tile.splat %f0 : f32 -> !sums

    %m_end, %l_end, %o_end = scf.for %j = %c0 to %end step %bn
        iter_args(%m = %m_start, %l = %l_start, %sum = %o_start) -> (!row, !row, !sums) {
      %ks = tile.load %k[%source, %j, %c0] : !tile.view<?x?x?x!in> -> !keys
      %vs = tile.load %v[%source, %j, %c0] : !tile.view<?x?x?x!in> -> !keys
      %kt = tile.trans %ks, [1, 0] : !keys -> !keys_t
      %s_all = tile.dot %qs, %kt, %no_scores : !query, !keys_t -> !scores

      %next = arith.addi %j, %bn : index
      %all_see = arith.addi %first, %c1 : index
      %crosses = arith.cmpi sgt, %next, %all_see : index
      %s = scf.if %crosses -> (!scores) {
        %to_diagonal = arith.subi %first, %j : index
        %to_diagonal_i32 = arith.index_cast %to_diagonal : index to i32
        %offset = tile.splat %to_diagonal_i32 : i32 -> tensor<?xi32, #tile.shape<"BM">>
        %row_numbers = tile.iota : tensor<?xi32, #tile.shape<"BM">>
        %last_seen = arith.addi %row_numbers, %offset : tensor<?xi32, #tile.shape<"BM">>
        %last_column = tile.expand_dims %last_seen, 1
          : tensor<?xi32, #tile.shape<"BM">> -> tensor<?x1xi32, #tile.shape<"BM", "">>
        %last_tile = tile.broadcast %last_column
          : tensor<?x1xi32, #tile.shape<"BM", "">> -> !numbers
        %key_numbers = tile.iota : tensor<?xi32, #tile.shape<"BN">>
        %key_row = tile.expand_dims %key_numbers, 0
          : tensor<?xi32, #tile.shape<"BN">> -> tensor<1x?xi32, #tile.shape<"", "BN">>
        %key_tile = tile.broadcast %key_row
          : tensor<1x?xi32, #tile.shape<"", "BN">> -> !numbers
        %mask = arith.cmpi sle, %key_tile, %last_tile : !numbers
        %s_masked = arith.select %mask, %s_all, %masked
          : tensor<?x?xi1, #tile.shape<"BM", "BN">>, !scores
        scf.yield %s_masked : !scores
      } else {
        scf.yield %s_all : !scores
      }

      %m_here = tile.reduce %s axis 1 : !scores -> !row combine (%a: f32, %b: f32) {
        %larger = arith.maximumf %a, %b : f32
        tile.yield %larger : f32
      }
      %m_next = arith.maximumf %m, %m_here : !row

      // p = exp(scale (s - m)) as 2^(c s - c m). A row that has seen no key yet has
      // m = -inf; 0 in its place gives p = 0 instead of NaN.
      %nothing = arith.cmpf oeq, %m_next, %m_start : !row
      %m_finite = arith.select %nothing, %l_start, %m_next
        : tensor<?xi1, #tile.shape<"BM">>, !row
      %m_scaled = arith.mulf %m_finite, %c_row : !row
      %shift = arith.negf %m_scaled : !row
      %shift_column = tile.expand_dims %shift, 1 : !row -> !column
      %shifts = tile.broadcast %shift_column : !column -> !scores
      %exponents = math.fma %s, %c_scores, %shifts : !scores
      %p = math.exp2 %exponents : !scores
      %l_here = tile.reduce %p axis 1 : !scores -> !row combine (%a: f32, %b: f32) {
        %both = arith.addf %a, %b : f32
        tile.yield %both : f32
      }

      %growth = math.fma %m, %c_row, %shift : !row
      %rescale = math.exp2 %growth : !row
      %l_scaled = arith.mulf %l, %rescale : !row
      %l_next = arith.addf %l_scaled, %l_here : !row
      %rescale_column = tile.expand_dims %rescale, 1 : !row -> !column
      %rescales = tile.broadcast %rescale_column : !column -> !sums
      %sum_scaled = arith.mulf %sum, %rescales : !sums
      %p_in = tile.cast %p : !scores -> !weights
      %sum_next = tile.dot %p_in, %vs, %sum_scaled : !weights, !keys -> !sums
      scf.yield %m_next, %l_next, %sum_next : !row, !row, !sums
    }

    // l is 0 for rows without keys.
    %zeros = tile.splat %f0 : f32 -> !row
    %ones = tile.splat %f1 : f32 -> !row
    %quotient = arith.divf %ones, %l_end : !row
    %empty = arith.cmpf oeq, %l_end, %zeros : !row
    %inverse = arith.select %empty, %zeros, %quotient
      : tensor<?xi1, #tile.shape<"BM">>, !row
    %inverse_column = tile.expand_dims %inverse, 1 : !row -> !column
    %inverses = tile.broadcast %inverse_column : !column -> !sums
    %mean = arith.mulf %o_end, %inverses : !sums
    %o_out = tile.cast %mean : !sums -> !result
    tile.store %o_out, %o[%head, %row, %c0] : !result, !tile.view<?x?x?x!out>
  }
}
