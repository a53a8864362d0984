// Block-sparse attention: a mask leaves to each block of BM queries some blocks of BN keys, those at
// blocks_of[offsets[i]] to blocks_of[offsets[i + 1] - 1], the same for all heads. The rest is
// examples/attention.mlir.
//
//   heddle run examples/embedding/block_attention.mlir --view q=2x100x64 --view k=2x150x64
//     --view v=2x150x64 --view blocks_of=4xi32 --values blocks_of=0,2,1,2 --view offsets=3xi32
//     --values offsets=0,2,4 --view o=2x100x64 --scalar scale=0.125

!in = f16
!out = f16

tile.param @BM : {16, 32, 64, 128} = 64
tile.param @BN : {16, 32, 64, 128} = 64
tile.param @D : {16, 32, 64, 128} = 64

!query = tensor<?x?x!in, #tile.shape<"BM", "D">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!keys_t = tensor<?x?x!in, #tile.shape<"D", "BN">>
!scores = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!weights = tensor<?x?x!in, #tile.shape<"BM", "BN">>
!sums = tensor<?x?xf32, #tile.shape<"BM", "D">>
!result = tensor<?x?x!out, #tile.shape<"BM", "D">>
!row = tensor<?xf32, #tile.shape<"BM">>
!column = tensor<?x1xf32, #tile.shape<"BM", "">>

tile.kernel @block_attention(%q: !tile.view<?x?x?x!in>, %k: !tile.view<?x?x?x!in>,
                       %v: !tile.view<?x?x?x!in>, %blocks_of: !tile.view<?xi32>,
                       %offsets: !tile.view<?xi32>, %o: !tile.view<?x?x?x!out>, %scale: f32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  // A query, a key or a value is a row of one tile: columns beyond D would be lost.
  %widest = tile.param_value @D : index
  %width = tile.dim %q, 2 : !tile.view<?x?x?x!in>
  %is_whole = arith.cmpi sle, %width, %widest : index
  tile.assert %is_whole, "a query is one tile of D columns, so D must be at least its width" : i1
  %width_of_k = tile.dim %k, 2 : !tile.view<?x?x?x!in>
  %is_as_wide_k = arith.cmpi eq, %width_of_k, %width : index
  tile.assert %is_as_wide_k, "keys and queries have different widths" : i1
  %width_of_v = tile.dim %v, 2 : !tile.view<?x?x?x!in>
  %is_as_wide_v = arith.cmpi sle, %width_of_v, %widest : index
  tile.assert %is_as_wide_v, "a value is one tile of D columns, so D must be at least its width" : i1
  %width_of_o = tile.dim %o, 2 : !tile.view<?x?x?x!out>
  %is_as_wide_o = arith.cmpi eq, %width_of_o, %width_of_v : index
  tile.assert %is_as_wide_o, "results and values have different widths" : i1
  %heads = tile.dim %q, 0 : !tile.view<?x?x?x!in>
  %queries = tile.dim %q, 1 : !tile.view<?x?x?x!in>
  %keys = tile.dim %k, 1 : !tile.view<?x?x?x!in>
  %blocks = arith.ceildivui %queries, %bm : index
  tile.parallel (%head, %i) to (%heads, %blocks) {
    %row = arith.muli %i, %bm : index
    %qs = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?x!in> -> !query
    // Which blocks of keys the mask leaves to this block of queries.
    %after = arith.addi %i, %c1 : index
    %from_tile = tile.load %offsets[%i] : !tile.view<?xi32> -> tensor<1xi32>
    %to_tile = tile.load %offsets[%after] : !tile.view<?xi32> -> tensor<1xi32>
    %from_i = tile.unsplat %from_tile : tensor<1xi32> -> i32
    %to_i = tile.unsplat %to_tile : tensor<1xi32> -> i32
    %from = arith.index_cast %from_i : i32 to index
    %to = arith.index_cast %to_i : i32 to index
    %c_scores = tile.splat %c : f32 -> !scores
    %c_row = tile.splat %c : f32 -> !row
    %no_scores = tile.splat %f0 : f32 -> !scores
    %masked = tile.splat %lowest : f32 -> !scores
    %m_start = tile.splat %lowest : f32 -> !row
    %l_start = tile.splat %f0 : f32 -> !row
    %o_start = tile.splat %f0 : f32 -> !sums

    %m_end, %l_end, %o_end = scf.for %at = %from to %to step %c1
        iter_args(%m = %m_start, %l = %l_start, %sum = %o_start) -> (!row, !row, !sums) {
      %block_tile = tile.load %blocks_of[%at] : !tile.view<?xi32> -> tensor<1xi32>
      %block_i = tile.unsplat %block_tile : tensor<1xi32> -> i32
      %block = arith.index_cast %block_i : i32 to index
      %j = arith.muli %block, %bn : index
      %ks = tile.load %k[%head, %j, %c0] : !tile.view<?x?x?x!in> -> !keys
      %vs = tile.load %v[%head, %j, %c0] : !tile.view<?x?x?x!in> -> !keys
      %kt = tile.trans %ks, [1, 0] : !keys -> !keys_t
      %s_all = tile.dot %qs, %kt, %no_scores : !query, !keys_t -> !scores

      // Only keys that exist: the view's zeros would count as scores of 0.
      %next = arith.addi %j, %bn : index
      %ends = arith.cmpi sgt, %next, %keys : index
      %s = scf.if %ends -> (!scores) {
        %left = arith.subi %keys, %j : index
        %left_i32 = arith.index_cast %left : index to i32
        %limit = tile.splat %left_i32 : i32 -> tensor<?xi32, #tile.shape<"BN">>
        %numbers = tile.iota : tensor<?xi32, #tile.shape<"BN">>
        %exists = arith.cmpi slt, %numbers, %limit : tensor<?xi32, #tile.shape<"BN">>
        %exists_row = tile.expand_dims %exists, 0
          : tensor<?xi1, #tile.shape<"BN">> -> tensor<1x?xi1, #tile.shape<"", "BN">>
        %mask = tile.broadcast %exists_row
          : tensor<1x?xi1, #tile.shape<"", "BN">> -> tensor<?x?xi1, #tile.shape<"BM", "BN">>
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

      // p = exp(scale (s - m)) as 2^(c s - c m).
      %m_scaled = arith.mulf %m_next, %c_row : !row
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

    // l is 0 only without keys.
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
