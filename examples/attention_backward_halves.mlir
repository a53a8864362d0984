// The gradients of attention as in attention_backward, for heads of 128. dQ of a tile
// is two sums, one for each half of the columns, so that two groups have one each:
// each element is added to memory once a tile of keys. The halves of K and Q are tiles
// of their own. Both scores begin with what is subtracted from them, -lse / scale and
// -delta, which then takes no registers beside the sums.
//
//   heddle run examples/attention_backward_halves.mlir --view q=2x300x128
//     --view k=2x200x128 --view v=2x200x128 --view d_o=2x300x128 --view lse=2x300
//     --view delta=2x300 --view dq=2x300x128 --view dk=2x200x128 --view dv=2x200x128
//     --scalar scale=0.125

!in = f16
!out = f16

tile.param @BM : {16 to 128 step 16} = 64
tile.param @BN : {64, 128} = 128
tile.param @D : {64, 128} = 128
tile.param @H : {32, 64} = 64 // half of D

!queries = tensor<?x?x!in, #tile.shape<"BM", "D">>
!queries_t = tensor<?x?x!in, #tile.shape<"D", "BM">>
!half_queries = tensor<?x?x!in, #tile.shape<"BM", "H">>
!half_queries_t = tensor<?x?x!in, #tile.shape<"H", "BM">>
!half_keys = tensor<?x?x!in, #tile.shape<"BN", "H">>
!half_dk = tensor<?x?xf32, #tile.shape<"BN", "H">>
!half_dk_result = tensor<?x?x!out, #tile.shape<"BN", "H">>
!half_dq = tensor<?x?xf32, #tile.shape<"BM", "H">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!pairs = tensor<?x?xf32, #tile.shape<"BN", "BM">>
!pairs_in = tensor<?x?x!in, #tile.shape<"BN", "BM">>
!pairs_t = tensor<?x?x!in, #tile.shape<"BM", "BN">>
!dk_sums = tensor<?x?xf32, #tile.shape<"BN", "D">>
!dk_result = tensor<?x?x!out, #tile.shape<"BN", "D">>
!per_query = tensor<?xf32, #tile.shape<"BM">>
!per_query_row = tensor<1x?xf32, #tile.shape<"", "BM">>

tile.kernel @attention_backward_halves(
    %q: !tile.view<?x?x?x!in>, %k: !tile.view<?x?x?x!in>, %v: !tile.view<?x?x?x!in>,
    %d_o: !tile.view<?x?x?x!in>, %lse: !tile.view<?x?xf32>, %delta: !tile.view<?x?xf32>,
    %dq: !tile.view<?x?x?xf32>, %dk: !tile.view<?x?x?x!out>, %dv: !tile.view<?x?x?x!out>,
    %scale: f32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %half = tile.param_value @H : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %minus_inverse = arith.divf %minus_one, %scale : f32
  %heads = tile.dim %q, 0 : !tile.view<?x?x?x!in>
  %rows = tile.dim %q, 1 : !tile.view<?x?x?x!in>
  %columns = tile.dim %k, 1 : !tile.view<?x?x?x!in>
  %blocks = arith.ceildivui %columns, %bn : index
  tile.parallel (%head, %j) to (%heads, %blocks) {
    %key = arith.muli %j, %bn : index
    %ks_a = tile.load %k[%head, %key, %c0] : !tile.view<?x?x?x!in> -> !half_keys
    %ks_b = tile.load %k[%head, %key, %half] : !tile.view<?x?x?x!in> -> !half_keys
    %none_half = tile.splat %f0 : f32 -> !half_dk
    %vs = tile.load %v[%head, %key, %c0] : !tile.view<?x?x?x!in> -> !keys
    %none = tile.splat %f0 : f32 -> !dk_sums
    %no_pairs = tile.splat %f0 : f32 -> !pairs
    %no_dq = tile.splat %f0 : f32 -> !half_dq

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

    %dk_end_a, %dk_end_b, %dv_end = scf.for %i = %c0 to %rows step %bm
        iter_args(%dk_sum_a = %none_half, %dk_sum_b = %none_half, %dv_sum = %none)
        -> (!half_dk, !half_dk, !dk_sums) {
      %qs_a = tile.load %q[%head, %i, %c0] : !tile.view<?x?x?x!in> -> !half_queries
      %qs_b = tile.load %q[%head, %i, %half] : !tile.view<?x?x?x!in> -> !half_queries
      %dos = tile.load %d_o[%head, %i, %c0] : !tile.view<?x?x?x!in> -> !queries
      %lse_in = tile.load %lse[%head, %i] : !tile.view<?x?xf32> -> !per_query
      %delta_in = tile.load %delta[%head, %i] : !tile.view<?x?xf32> -> !per_query
      %qt_a = tile.trans %qs_a, [1, 0] : !half_queries -> !half_queries_t
      %qt_b = tile.trans %qs_b, [1, 0] : !half_queries -> !half_queries_t
      %dot = tile.trans %dos, [1, 0] : !queries -> !queries_t

      // p = exp(scale (s - lse / scale)).
      %to_scores = tile.splat %minus_inverse : f32 -> !per_query
      %shift = arith.mulf %lse_in, %to_scores : !per_query
      %shift_row = tile.expand_dims %shift, 0 : !per_query -> !per_query_row
      %shifts = tile.broadcast %shift_row : !per_query_row -> !pairs
      %s_a = tile.dot %ks_a, %qt_a, %shifts : !half_keys, !half_queries_t -> !pairs
      %s = tile.dot %ks_b, %qt_b, %s_a : !half_keys, !half_queries_t -> !pairs
      %c_pairs = tile.splat %c : f32 -> !pairs
      %exponents = arith.mulf %s, %c_pairs : !pairs
      %p_all = math.exp2 %exponents : !pairs
      %p = arith.select %mask, %p_all, %no_pairs
        : tensor<?x?xi1, #tile.shape<"BN", "BM">>, !pairs
      %p_in = tile.cast %p : !pairs -> !pairs_in
      %dv_next = tile.dot %p_in, %dos, %dv_sum : !pairs_in, !queries -> !dk_sums

      // ds = p (dp - delta).
      %minus_ones = tile.splat %minus_one : f32 -> !per_query
      %minus_delta = arith.mulf %delta_in, %minus_ones : !per_query
      %delta_row = tile.expand_dims %minus_delta, 0 : !per_query -> !per_query_row
      %delta_tile = tile.broadcast %delta_row : !per_query_row -> !pairs
      %dp_less = tile.dot %vs, %dot, %delta_tile : !keys, !queries_t -> !pairs
      %ds = arith.mulf %p, %dp_less : !pairs
      %ds_in = tile.cast %ds : !pairs -> !pairs_in
      %dk_next_a = tile.dot %ds_in, %qs_a, %dk_sum_a : !pairs_in, !half_queries -> !half_dk
      %dk_next_b = tile.dot %ds_in, %qs_b, %dk_sum_b : !pairs_in, !half_queries -> !half_dk

      %ds_t = tile.trans %ds_in, [1, 0] : !pairs_in -> !pairs_t
      %dq_a = tile.dot %ds_t, %ks_a, %no_dq : !pairs_t, !half_keys -> !half_dq
      %dq_b = tile.dot %ds_t, %ks_b, %no_dq : !pairs_t, !half_keys -> !half_dq
      %scale_dq = tile.splat %scale : f32 -> !half_dq
      %dq_scaled_a = arith.mulf %dq_a, %scale_dq : !half_dq
      %dq_scaled_b = arith.mulf %dq_b, %scale_dq : !half_dq
      tile.view_reduce fadd, %dq_scaled_a, %dq[%head, %i, %c0] : !half_dq, !tile.view<?x?x?xf32>
      tile.view_reduce fadd, %dq_scaled_b, %dq[%head, %i, %half] : !half_dq, !tile.view<?x?x?xf32>
      scf.yield %dk_next_a, %dk_next_b, %dv_next : !half_dk, !half_dk, !dk_sums
    }

    %scale_dk = tile.splat %scale : f32 -> !half_dk
    %dk_scaled_a = arith.mulf %dk_end_a, %scale_dk : !half_dk
    %dk_scaled_b = arith.mulf %dk_end_b, %scale_dk : !half_dk
    %dk_out_a = tile.cast %dk_scaled_a : !half_dk -> !half_dk_result
    %dk_out_b = tile.cast %dk_scaled_b : !half_dk -> !half_dk_result
    %dv_out = tile.cast %dv_end : !dk_sums -> !dk_result
    tile.store %dk_out_a, %dk[%head, %key, %c0] : !half_dk_result, !tile.view<?x?x?x!out>
    tile.store %dk_out_b, %dk[%head, %key, %half] : !half_dk_result, !tile.view<?x?x?x!out>
    tile.store %dv_out, %dv[%head, %key, %c0] : !dk_result, !tile.view<?x?x?x!out>
  }
}
