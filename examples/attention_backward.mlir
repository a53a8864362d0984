// The gradients of O = softmax(scale Q . K^T) V. Of the forward pass it wants
// lse[i] = log of the sum over keys of exp(scale q_i . k), and delta[i] = sum of
// dO[i, :] * O[i, :]. Each instance owns a tile of keys and goes through the queries;
// several add to one dQ, which the caller clears. Tiles stand with the keys as rows,
// so that dV and dK take them as they are.
//
//   heddle run examples/attention_backward.mlir --view q=2x300x64 --view k=2x200x64
//     --view v=2x200x64 --view d_o=2x300x64 --view lse=2x300 --view delta=2x300
//     --view dq=2x300x64 --view dk=2x200x64 --view dv=2x200x64
//     --scalar scale=0.125

!in = f16
!out = f16

tile.param @BM : {16 to 128 step 16} = 64
tile.param @BN : {64, 128} = 64
tile.param @D : {64, 128} = 64

!queries = tensor<?x?x!in, #tile.shape<"BM", "D">>
!queries_t = tensor<?x?x!in, #tile.shape<"D", "BM">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!pairs = tensor<?x?xf32, #tile.shape<"BN", "BM">>
!pairs_in = tensor<?x?x!in, #tile.shape<"BN", "BM">>
!pairs_t = tensor<?x?x!in, #tile.shape<"BM", "BN">>
!dq_sums = tensor<?x?xf32, #tile.shape<"BM", "D">>
!dk_sums = tensor<?x?xf32, #tile.shape<"BN", "D">>
!dk_result = tensor<?x?x!out, #tile.shape<"BN", "D">>
!per_query = tensor<?xf32, #tile.shape<"BM">>
!per_query_row = tensor<1x?xf32, #tile.shape<"", "BM">>

tile.kernel @attention_backward(%q: !tile.view<?x?x?x!in>, %k: !tile.view<?x?x?x!in>,
                                %v: !tile.view<?x?x?x!in>, %d_o: !tile.view<?x?x?x!in>,
                                %lse: !tile.view<?x?xf32>, %delta: !tile.view<?x?xf32>,
                                %dq: !tile.view<?x?x?xf32>, %dk: !tile.view<?x?x?x!out>,
                                %dv: !tile.view<?x?x?x!out>, %scale: f32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %minus_log2_e = arith.constant -1.44269504 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %heads = tile.dim %q, 0 : !tile.view<?x?x?x!in>
  %rows = tile.dim %q, 1 : !tile.view<?x?x?x!in>
  %columns = tile.dim %k, 1 : !tile.view<?x?x?x!in>
  %blocks = arith.ceildivui %columns, %bn : index
  tile.parallel (%head, %j) to (%heads, %blocks) {
    %key = arith.muli %j, %bn : index
    %ks = tile.load %k[%head, %key, %c0] : !tile.view<?x?x?x!in> -> !keys
    %vs = tile.load %v[%head, %key, %c0] : !tile.view<?x?x?x!in> -> !keys
    %none = tile.splat %f0 : f32 -> !dk_sums
    %no_pairs = tile.splat %f0 : f32 -> !pairs
    %no_dq = tile.splat %f0 : f32 -> !dq_sums

    // A key that does not exist has no share in any query.
    %left = arith.subi %columns, %key : index
    %left_i32 = arith.index_cast %left : index to i32
    %ends = tile.splat %left_i32 : i32 -> tensor<?xi32, #tile.shape<"BN">>
    %numbers = tile.iota : tensor<?xi32, #tile.shape<"BN">>
    %exists = arith.cmpi slt, %numbers, %ends : tensor<?xi32, #tile.shape<"BN">>
    %exists_column = tile.expand_dims %exists, 1
      : tensor<?xi1, #tile.shape<"BN">> -> tensor<?x1xi1, #tile.shape<"BN", "">>
    %mask = tile.broadcast %exists_column
      : tensor<?x1xi1, #tile.shape<"BN", "">> -> tensor<?x?xi1, #tile.shape<"BN", "BM">>

    %dk_end, %dv_end = scf.for %i = %c0 to %rows step %bm
        iter_args(%dk_sum = %none, %dv_sum = %none) -> (!dk_sums, !dk_sums) {
      %qs = tile.load %q[%head, %i, %c0] : !tile.view<?x?x?x!in> -> !queries
      %dos = tile.load %d_o[%head, %i, %c0] : !tile.view<?x?x?x!in> -> !queries
      %lse_in = tile.load %lse[%head, %i] : !tile.view<?x?xf32> -> !per_query
      %delta_in = tile.load %delta[%head, %i] : !tile.view<?x?xf32> -> !per_query
      %qt = tile.trans %qs, [1, 0] : !queries -> !queries_t
      %dot = tile.trans %dos, [1, 0] : !queries -> !queries_t

      // p = exp(scale s - lse).
      %s = tile.dot %ks, %qt, %no_pairs : !keys, !queries_t -> !pairs
      %to_log2 = tile.splat %minus_log2_e : f32 -> !per_query
      %shift = arith.mulf %lse_in, %to_log2 : !per_query
      %shift_row = tile.expand_dims %shift, 0 : !per_query -> !per_query_row
      %shifts = tile.broadcast %shift_row : !per_query_row -> !pairs
      %c_pairs = tile.splat %c : f32 -> !pairs
      %exponents = math.fma %s, %c_pairs, %shifts : !pairs
      %p_all = math.exp2 %exponents : !pairs
      %p = arith.select %mask, %p_all, %no_pairs
        : tensor<?x?xi1, #tile.shape<"BN", "BM">>, !pairs
      %p_in = tile.cast %p : !pairs -> !pairs_in
      %dv_next = tile.dot %p_in, %dos, %dv_sum : !pairs_in, !queries -> !dk_sums

      // ds = p (dp - delta).
      %dp = tile.dot %vs, %dot, %no_pairs : !keys, !queries_t -> !pairs
      %delta_row = tile.expand_dims %delta_in, 0 : !per_query -> !per_query_row
      %delta_tile = tile.broadcast %delta_row : !per_query_row -> !pairs
      %dp_less = arith.subf %dp, %delta_tile : !pairs
      %ds = arith.mulf %p, %dp_less : !pairs
      %ds_in = tile.cast %ds : !pairs -> !pairs_in
      %dk_next = tile.dot %ds_in, %qs, %dk_sum : !pairs_in, !queries -> !dk_sums

      %ds_t = tile.trans %ds_in, [1, 0] : !pairs_in -> !pairs_t
      %dq_here = tile.dot %ds_t, %ks, %no_dq : !pairs_t, !keys -> !dq_sums
      %scale_dq = tile.splat %scale : f32 -> !dq_sums
      %dq_scaled = arith.mulf %dq_here, %scale_dq : !dq_sums
      tile.view_reduce fadd, %dq_scaled, %dq[%head, %i, %c0] : !dq_sums, !tile.view<?x?x?xf32>
      scf.yield %dk_next, %dv_next : !dk_sums, !dk_sums
    }

    %scale_dk = tile.splat %scale : f32 -> !dk_sums
    %dk_scaled = arith.mulf %dk_end, %scale_dk : !dk_sums
    %dk_out = tile.cast %dk_scaled : !dk_sums -> !dk_result
    %dv_out = tile.cast %dv_end : !dk_sums -> !dk_result
    tile.store %dk_out, %dk[%head, %key, %c0] : !dk_result, !tile.view<?x?x?x!out>
    tile.store %dv_out, %dv[%head, %key, %c0] : !dk_result, !tile.view<?x?x?x!out>
  }
}
