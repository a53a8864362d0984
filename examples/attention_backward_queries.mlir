// dQ of O = softmax(scale Q . K^T) V, without a sum that instances share: each owns a
// tile of queries and goes through the keys. `attention_backward_keys` has dK and dV; the
// two together compute seven products where `attention_backward` computes five, clear
// nothing and give the same bits each time. lse and delta are as there.
//
//   heddle run examples/attention_backward_queries.mlir --view q=2x300x64 --view k=2x200x64
//     --view v=2x200x64 --view d_o=2x300x64 --view lse=2x300 --view delta=2x300
//     --view dq=2x300x64 --scalar scale=0.125

!in = f16
!out = f16

tile.param @BM : {64 to 192 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 64
tile.param @D : {16 to 256 step 16} = 64

!queries = tensor<?x?x!in, #tile.shape<"BM", "D">>
!keys = tensor<?x?x!in, #tile.shape<"BN", "D">>
!keys_t = tensor<?x?x!in, #tile.shape<"D", "BN">>
!pairs = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!pairs_in = tensor<?x?x!in, #tile.shape<"BM", "BN">>
!sums = tensor<?x?xf32, #tile.shape<"BM", "D">>
!result = tensor<?x?x!out, #tile.shape<"BM", "D">>
!per_query = tensor<?xf32, #tile.shape<"BM">>
!per_query_column = tensor<?x1xf32, #tile.shape<"BM", "">>

tile.kernel @attention_backward_queries(%q: !tile.view<?x?x?x!in>, %k: !tile.view<?x?x?x!in>,
                                        %v: !tile.view<?x?x?x!in>, %d_o: !tile.view<?x?x?x!in>,
                                        %lse: !tile.view<?x?xf32>, %delta: !tile.view<?x?xf32>,
                                        %dq: !tile.view<?x?x?x!out>, %scale: f32) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %minus_log2_e = arith.constant -1.44269504 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %heads = tile.dim %q, 0 : !tile.view<?x?x?x!in>
  %rows = tile.dim %q, 1 : !tile.view<?x?x?x!in>
  %columns = tile.dim %k, 1 : !tile.view<?x?x?x!in>
  %blocks = arith.ceildivui %rows, %bm : index
  tile.parallel (%head, %i) to (%heads, %blocks) {
    %row = arith.muli %i, %bm : index
    %qs = tile.load %q[%head, %row, %c0] : !tile.view<?x?x?x!in> -> !queries
    %dos = tile.load %d_o[%head, %row, %c0] : !tile.view<?x?x?x!in> -> !queries
    %lse_in = tile.load %lse[%head, %row] : !tile.view<?x?xf32> -> !per_query
    %delta_in = tile.load %delta[%head, %row] : !tile.view<?x?xf32> -> !per_query
    %none = tile.splat %f0 : f32 -> !sums
    %no_pairs = tile.splat %f0 : f32 -> !pairs
    %masked = tile.splat %lowest : f32 -> !pairs
    %c_pairs = tile.splat %c : f32 -> !pairs
    %to_log2 = tile.splat %minus_log2_e : f32 -> !per_query
    %shift = arith.mulf %lse_in, %to_log2 : !per_query
    %shift_column = tile.expand_dims %shift, 1 : !per_query -> !per_query_column
    %shifts = tile.broadcast %shift_column : !per_query_column -> !pairs
    %delta_column = tile.expand_dims %delta_in, 1 : !per_query -> !per_query_column
    %deltas = tile.broadcast %delta_column : !per_query_column -> !pairs

    %dq_end = scf.for %j = %c0 to %columns step %bn
        iter_args(%dq_sum = %none) -> (!sums) {
      %ks = tile.load %k[%head, %j, %c0] : !tile.view<?x?x?x!in> -> !keys
      %vs = tile.load %v[%head, %j, %c0] : !tile.view<?x?x?x!in> -> !keys
      %kt = tile.trans %ks, [1, 0] : !keys -> !keys_t
      %vt = tile.trans %vs, [1, 0] : !keys -> !keys_t
      %s_all = tile.dot %qs, %kt, %no_pairs : !queries, !keys_t -> !pairs

      // A key that does not exist has a share of 0.
      %next = arith.addi %j, %bn : index
      %ends = arith.cmpi sgt, %next, %columns : index
      %s = scf.if %ends -> (!pairs) {
        %left = arith.subi %columns, %j : index
        %left_i32 = arith.index_cast %left : index to i32
        %limit = tile.splat %left_i32 : i32 -> tensor<?xi32, #tile.shape<"BN">>
        %numbers = tile.iota : tensor<?xi32, #tile.shape<"BN">>
        %exists = arith.cmpi slt, %numbers, %limit : tensor<?xi32, #tile.shape<"BN">>
        %exists_row = tile.expand_dims %exists, 0
          : tensor<?xi1, #tile.shape<"BN">> -> tensor<1x?xi1, #tile.shape<"", "BN">>
        %mask = tile.broadcast %exists_row
          : tensor<1x?xi1, #tile.shape<"", "BN">> -> tensor<?x?xi1, #tile.shape<"BM", "BN">>
        %s_masked = arith.select %mask, %s_all, %masked
          : tensor<?x?xi1, #tile.shape<"BM", "BN">>, !pairs
        scf.yield %s_masked : !pairs
      } else {
        scf.yield %s_all : !pairs
      }

      // p = exp(scale s - lse) as a power of 2; ds = p (dp - delta).
      %exponents = math.fma %s, %c_pairs, %shifts : !pairs
      %p = math.exp2 %exponents : !pairs
      %dp = tile.dot %dos, %vt, %no_pairs : !queries, !keys_t -> !pairs
      %dp_less = arith.subf %dp, %deltas : !pairs
      %ds = arith.mulf %p, %dp_less : !pairs
      %ds_in = tile.cast %ds : !pairs -> !pairs_in
      %dq_next = tile.dot %ds_in, %ks, %dq_sum : !pairs_in, !keys -> !sums
      scf.yield %dq_next : !sums
    }

    %scale_dq = tile.splat %scale : f32 -> !sums
    %dq_scaled = arith.mulf %dq_end, %scale_dq : !sums
    %dq_out = tile.cast %dq_scaled : !sums -> !result
    tile.store %dq_out, %dq[%head, %row, %c0] : !result, !tile.view<?x?x?x!out>
  }
}
