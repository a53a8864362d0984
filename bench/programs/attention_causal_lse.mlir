// Causal attention, as test/triton/corpus/attention.py writes it: query i sees keys up to i;
// it also gives
// lse = m + log2(l) of each row, divides by l, and begins with l = 1. For
// bench/same_tile.py, which times both texts at one tile. BM divides the queries, BN
// the keys.

!half = f16

tile.param @BM : {64 to 384 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 128
tile.param @D : {16 to 256 step 16} = 128

!query = tensor<?x?x!half, #tile.shape<"BM", "D">>
!keys = tensor<?x?x!half, #tile.shape<"BN", "D">>
!keys_t = tensor<?x?x!half, #tile.shape<"D", "BN">>
!scores = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!weights = tensor<?x?x!half, #tile.shape<"BM", "BN">>
!sums = tensor<?x?xf32, #tile.shape<"BM", "D">>
!result = tensor<?x?x!half, #tile.shape<"BM", "D">>
!row = tensor<?xf32, #tile.shape<"BM">>
!column = tensor<?x1xf32, #tile.shape<"BM", "">>
!numbers = tensor<?x?xi32, #tile.shape<"BM", "BN">>

tile.kernel @attention_causal_lse(%q: !tile.view<?x?x?x!half>, %k: !tile.view<?x?x?x!half>,
    %v: !tile.view<?x?x?x!half>, %o: !tile.view<?x?x?x!half>, %lse: !tile.view<?x?xf32>,
    %scale: f32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %heads = tile.dim %q, 0 : !tile.view<?x?x?x!half>
  %queries = tile.dim %q, 1 : !tile.view<?x?x?x!half>
  %keys = tile.dim %k, 1 : !tile.view<?x?x?x!half>
  %blocks = arith.ceildivui %queries, %bm : index
  tile.parallel (%head, %i) to (%heads, %blocks) {
    %row = arith.muli %i, %bm : index
    %end = arith.addi %row, %bm : index
    %qs = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?x!half> -> !query
    %c_scores = tile.splat %c : f32 -> !scores
    %c_row = tile.splat %c : f32 -> !row
    %no_scores = tile.splat %f0 : f32 -> !scores
    %m_start = tile.splat %lowest : f32 -> !row
    %l_start = tile.splat %f1 : f32 -> !row
    %o_start = tile.splat %f0 : f32 -> !sums

    %m_end, %l_end, %o_end = scf.for %j = %c0 to %end step %bn
        iter_args(%m = %m_start, %l = %l_start, %sum = %o_start) -> (!row, !row, !sums) {
      %ks = tile.load %k[%head, %j, %c0] : !tile.view<?x?x?x!half> -> !keys
      %vs = tile.load %v[%head, %j, %c0] : !tile.view<?x?x?x!half> -> !keys
      %kt = tile.trans %ks, [1, 0] : !keys -> !keys_t
      %s_all = tile.dot %qs, %kt, %no_scores : !query, !keys_t -> !scores

      // Row m of the tile sees keys up to row + m.
      %next = arith.addi %j, %bn : index
      %crosses = arith.cmpi sgt, %next, %row : index
      %s = scf.if %crosses -> (!scores) {
        %to_diagonal = arith.subi %row, %j : index
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
        %masked = tile.splat %lowest : f32 -> !scores
        %s_masked = arith.select %mask, %s_all, %masked
          : tensor<?x?xi1, #tile.shape<"BM", "BN">>, !scores
        scf.yield %s_masked : !scores
      } else {
        scf.yield %s_all : !scores
      }

      %m_here = tile.reduce %s axis 1 : !scores -> !row combine (%a: f32, %b: f32) {
        %larger = arith.maxnumf %a, %b : f32
        tile.yield %larger : f32
      }
      %m_scaled = arith.mulf %m_here, %c_row : !row
      %m_next = arith.maxnumf %m, %m_scaled : !row
      %shift = arith.negf %m_next : !row
      %shift_column = tile.expand_dims %shift, 1 : !row -> !column
      %shifts = tile.broadcast %shift_column : !column -> !scores
      %exponents = math.fma %s, %c_scores, %shifts : !scores
      %p = math.exp2 %exponents : !scores
      %l_here = tile.reduce %p axis 1 : !scores -> !row combine (%a: f32, %b: f32) {
        %both = arith.addf %a, %b : f32
        tile.yield %both : f32
      }

      %growth = arith.subf %m, %m_next : !row
      %rescale = math.exp2 %growth : !row
      %l_next = math.fma %l, %rescale, %l_here : !row
      %rescale_column = tile.expand_dims %rescale, 1 : !row -> !column
      %rescales = tile.broadcast %rescale_column : !column -> !sums
      %sum_scaled = arith.mulf %sum, %rescales : !sums
      %p_in = tile.cast %p : !scores -> !weights
      %sum_next = tile.dot %p_in, %vs, %sum_scaled : !weights, !keys -> !sums
      scf.yield %m_next, %l_next, %sum_next : !row, !row, !sums
    }

    %log = math.log2 %l_end : !row
    %lse_out = arith.addf %m_end, %log : !row
    tile.store %lse_out, %lse[%head, %row] : !row, !tile.view<?x?xf32>
    %l_column = tile.expand_dims %l_end, 1 : !row -> !column
    %l_tile = tile.broadcast %l_column : !column -> !sums
    %mean = arith.divf %o_end, %l_tile : !sums
    %o_out = tile.cast %mean : !sums -> !result
    tile.store %o_out, %o[%head, %row, %c0] : !result, !tile.view<?x?x?x!half>
  }
}
