// dK and dV of O = softmax(scale Q . K^T) V, without a sum that instances share: each
// owns a tile of keys and goes through the queries. `attention_backward_queries` computes
// dQ the same way round; both take lse[i] = log of the sum over keys of
// exp(scale q_i . k), and delta[i] = sum of dO[i, :] * O[i, :], from the forward pass.
// Tiles stand with the keys as rows, so that dV and dK take them as they are.
//
//   heddle run examples/attention_backward_keys.mlir --view q=2x300x64 --view k=2x200x64
//     --view v=2x200x64 --view d_o=2x300x64 --view lse=2x300 --view delta=2x300
//     --view dk=2x200x64 --view dv=2x200x64 --scalar scale=0.125

!in = f16
!out = f16

tile.param @BM : {16 to 256 step 16} = 64
tile.param @BN : {64 to 192 step 64} = 128
tile.param @D : {16 to 256 step 16} = 64

!queries = tensor<?x?x!in, #tile.shape<"BM", "D">>
!queries_t = tensor<?x?x!in, #tile.shape<"D", "BM">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!pairs = tensor<?x?xf32, #tile.shape<"BN", "BM">>
!pairs_in = tensor<?x?x!in, #tile.shape<"BN", "BM">>
!sums = tensor<?x?xf32, #tile.shape<"BN", "D">>
!result = tensor<?x?x!out, #tile.shape<"BN", "D">>
!per_query = tensor<?xf32, #tile.shape<"BM">>
!per_query_row = tensor<1x?xf32, #tile.shape<"", "BM">>

tile.kernel @attention_backward_keys(%q: !tile.view<?x?x?x!in>, %k: !tile.view<?x?x?x!in>,
                                     %v: !tile.view<?x?x?x!in>, %d_o: !tile.view<?x?x?x!in>,
                                     %lse: !tile.view<?x?xf32>, %delta: !tile.view<?x?xf32>,
                                     %dk: !tile.view<?x?x?x!out>, %dv: !tile.view<?x?x?x!out>,
                                     %scale: f32) {
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
    %none = tile.splat %f0 : f32 -> !sums
    %no_pairs = tile.splat %f0 : f32 -> !pairs
    %c_pairs = tile.splat %c : f32 -> !pairs
    %to_log2 = tile.splat %minus_log2_e : f32 -> !per_query

    // No mask: rows of keys that do not exist are not stored, and a query that does not
    // exist has rows of zeros in Q and dO, and zeros for lse and delta.
    %dk_end, %dv_end = scf.for %i = %c0 to %rows step %bm
        iter_args(%dk_sum = %none, %dv_sum = %none) -> (!sums, !sums) {
      %qs = tile.load %q[%head, %i, %c0] : !tile.view<?x?x?x!in> -> !queries
      %dos = tile.load %d_o[%head, %i, %c0] : !tile.view<?x?x?x!in> -> !queries
      %lse_in = tile.load %lse[%head, %i] : !tile.view<?x?xf32> -> !per_query
      %delta_in = tile.load %delta[%head, %i] : !tile.view<?x?xf32> -> !per_query
      %qt = tile.trans %qs, [1, 0] : !queries -> !queries_t
      %dot = tile.trans %dos, [1, 0] : !queries -> !queries_t

      // p = exp(scale s - lse) as a power of 2.
      %s = tile.dot %ks, %qt, %no_pairs : !keys, !queries_t -> !pairs
      %shift = arith.mulf %lse_in, %to_log2 : !per_query
      %shift_row = tile.expand_dims %shift, 0 : !per_query -> !per_query_row
      %shifts = tile.broadcast %shift_row : !per_query_row -> !pairs
      %exponents = math.fma %s, %c_pairs, %shifts : !pairs
      %p = math.exp2 %exponents : !pairs
      %p_in = tile.cast %p : !pairs -> !pairs_in
      %dv_next = tile.dot %p_in, %dos, %dv_sum : !pairs_in, !queries -> !sums

      // ds = p (dp - delta).
      %dp = tile.dot %vs, %dot, %no_pairs : !keys, !queries_t -> !pairs
      %delta_row = tile.expand_dims %delta_in, 0 : !per_query -> !per_query_row
      %deltas = tile.broadcast %delta_row : !per_query_row -> !pairs
      %dp_less = arith.subf %dp, %deltas : !pairs
      %ds = arith.mulf %p, %dp_less : !pairs
      %ds_in = tile.cast %ds : !pairs -> !pairs_in
      %dk_next = tile.dot %ds_in, %qs, %dk_sum : !pairs_in, !queries -> !sums
      scf.yield %dk_next, %dv_next : !sums, !sums
    }

    %scale_dk = tile.splat %scale : f32 -> !sums
    %dk_scaled = arith.mulf %dk_end, %scale_dk : !sums
    %dk_out = tile.cast %dk_scaled : !sums -> !result
    %dv_out = tile.cast %dv_end : !sums -> !result
    tile.store %dk_out, %dk[%head, %key, %c0] : !result, !tile.view<?x?x?x!out>
    tile.store %dv_out, %dv[%head, %key, %c0] : !result, !tile.view<?x?x?x!out>
  }
}
