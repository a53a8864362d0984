// examples/attention_backward.mlir at FlashAttention-3's backward tile, 80 queries and 128
// keys at D = 128, as a question to the solver (bench/schedules.py). 80 rows are no
// multiple of 64, so dQ is computed transposed, with D as its rows; in two halves, since
// its sums are as large as D x BM in each process. Each sub-tile of keys has an addend of
// dQ, and memory adds them up.
//
// There is no code for it yet: dS would have to be written to shared memory while other
// products are in flight.
//
//   heddle solve bench/programs/attention_backward_80x128.mlir --machine=h200

!in = f16
!out = f16

tile.param @BM : {16 to 128 step 16} = 80
tile.param @BN : {64, 128} = 128
tile.param @D : {64, 128} = 128
// Of dQ, as rows of one product.
tile.param @DH : {64} = 64

!queries = tensor<?x?x!in, #tile.shape<"BM", "D">>
!queries_t = tensor<?x?x!in, #tile.shape<"D", "BM">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!pairs = tensor<?x?xf32, #tile.shape<"BN", "BM">>
!pairs_in = tensor<?x?x!in, #tile.shape<"BN", "BM">>
!half = tensor<?x?x!in, #tile.shape<"BN", "DH">>
!half_t = tensor<?x?x!in, #tile.shape<"DH", "BN">>
!dq_sums = tensor<?x?xf32, #tile.shape<"BM", "DH">>
!dq_sums_t = tensor<?x?xf32, #tile.shape<"DH", "BM">>
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
  %dh = tile.param_value @DH : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
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
    %k0 = tile.load %k[%head, %key, %c0] : !tile.view<?x?x?x!in> -> !half
    %k1 = tile.load %k[%head, %key, %dh] : !tile.view<?x?x?x!in> -> !half
    %k0_t = tile.trans %k0, [1, 0] : !half -> !half_t
    %k1_t = tile.trans %k1, [1, 0] : !half -> !half_t
    %none = tile.splat %f0 : f32 -> !dk_sums
    %no_pairs = tile.splat %f0 : f32 -> !pairs
    %no_dq = tile.splat %f0 : f32 -> !dq_sums_t

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
      %dp = tile.dot %vs, %dot, %no_pairs : !keys, !queries_t -> !pairs
      %to_log2 = tile.splat %log2_e : f32 -> !per_query
      %lse_log2 = arith.mulf %lse_in, %to_log2 : !per_query
      %lse_row = tile.expand_dims %lse_log2, 0 : !per_query -> !per_query_row
      %lse_tile = tile.broadcast %lse_row : !per_query_row -> !pairs
      %c_pairs = tile.splat %c : f32 -> !pairs
      %s_scaled = arith.mulf %s, %c_pairs : !pairs
      %exponents = arith.subf %s_scaled, %lse_tile : !pairs
      %p_all = math.exp2 %exponents : !pairs
      %p = arith.select %mask, %p_all, %no_pairs
        : tensor<?x?xi1, #tile.shape<"BN", "BM">>, !pairs

      // ds = p (dp - delta).
      %delta_row = tile.expand_dims %delta_in, 0 : !per_query -> !per_query_row
      %delta_tile = tile.broadcast %delta_row : !per_query_row -> !pairs
      %dp_less = arith.subf %dp, %delta_tile : !pairs
      %ds = arith.mulf %p, %dp_less : !pairs
      %p_in = tile.cast %p : !pairs -> !pairs_in
      %ds_in = tile.cast %ds : !pairs -> !pairs_in
      %dv_next = tile.dot %p_in, %dos, %dv_sum : !pairs_in, !queries -> !dk_sums

      %scale_dq = tile.splat %scale : f32 -> !dq_sums_t
      %dq0 = tile.dot %k0_t, %ds_in, %no_dq : !half_t, !pairs_in -> !dq_sums_t
      %dq0_scaled_t = arith.mulf %dq0, %scale_dq : !dq_sums_t
      %dq0_scaled = tile.trans %dq0_scaled_t, [1, 0] : !dq_sums_t -> !dq_sums
      tile.view_reduce fadd, %dq0_scaled, %dq[%head, %i, %c0] : !dq_sums, !tile.view<?x?x?xf32>
      %dq1 = tile.dot %k1_t, %ds_in, %no_dq : !half_t, !pairs_in -> !dq_sums_t
      %dq1_scaled_t = arith.mulf %dq1, %scale_dq : !dq_sums_t
      %dq1_scaled = tile.trans %dq1_scaled_t, [1, 0] : !dq_sums_t -> !dq_sums
      tile.view_reduce fadd, %dq1_scaled, %dq[%head, %i, %dh] : !dq_sums, !tile.view<?x?x?xf32>
      %dk_next = tile.dot %ds_in, %qs, %dk_sum : !pairs_in, !queries -> !dk_sums
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
