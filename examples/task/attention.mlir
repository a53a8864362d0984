// heddle run examples/task/attention.mlir --view q=2x200x128 --view k=2x136x128 --view v=2x136x128 --view o=2x200x128 --scalar scale=0.0883883
//
// O = softmax(scale Q . K^T) V for each of some heads, as tasks, in program order:
// one step takes a block of keys and values, and keeps a row's maximum, its sum and
// what was summed so far. Which groups do what, and when, is the mapping's and the
// scheduler's.

!in = f16
!out = f16
!in3 = !task.tensor<?x?x?x!in>
!in3p = !task.partition<?x?x?x!in>
!out3 = !task.tensor<?x?x?x!out>
!out3p = !task.partition<?x?x?x!out>
!sum = !task.tensor<?x?xf32>
!rows = !task.tensor<?xf32>

!query = tensor<1x?x?x!in, #tile.shape<"", "M", "D">>
!keys = tensor<1x?x?x!in, #tile.shape<"", "N", "D">>
!query2 = tensor<?x?x!in, #tile.shape<"M", "D">>
!keys2 = tensor<?x?x!in, #tile.shape<"N", "D">>
!keys_t = tensor<?x?x!in, #tile.shape<"D", "N">>
!scores = tensor<?x?xf32, #tile.shape<"M", "N">>
!weights = tensor<?x?x!in, #tile.shape<"M", "N">>
!sums = tensor<?x?xf32, #tile.shape<"M", "D">>
!result = tensor<?x?x!out, #tile.shape<"M", "D">>
!result3 = tensor<1x?x?x!out, #tile.shape<"", "M", "D">>
!row = tensor<?xf32, #tile.shape<"M">>
!column = tensor<?x1xf32, #tile.shape<"M", "">>

task.variant @grid of @attention inner(reads %q: !in3, reads %k: !in3, reads %v: !in3,
                                       reads writes %o: !out3, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %u = task.tunable "U"
  %d = task.tunable "D"
  %qs = task.blocks %q by [%c1, %u, %d] : !in3
  %ks = task.blocks %k by [%c1, all, %d] : !in3
  %vs = task.blocks %v by [%c1, all, %d] : !in3
  %os = task.blocks %o by [%c1, %u, %d] : !out3
  %heads = task.count %qs, 0 : !in3p
  %queries = task.count %qs, 1 : !in3p
  task.prange (%h, %i) to (%heads, %queries) {
    %x = task.piece %qs[%h, %i, %c0] : !in3p
    %y = task.piece %ks[%h, all, %c0] : !in3p
    %z = task.piece %vs[%h, all, %c0] : !in3p
    %r = task.piece %os[%h, %i, %c0] : !out3p
    task.launch @rows(%x, %y, %z, %r, %c) : !in3, !in3, !in3, !out3, f32
  }
}

task.variant @block of @rows inner(reads %q: !in3, reads %k: !in3, reads %v: !in3,
                                   writes %o: !out3, %c: f32) {
  %w = task.tunable "W"
  %u = task.extent %q, 1 : !in3
  %d = task.extent %q, 2 : !in3
  %keys = task.extent %k, 1 : !in3
  %m = task.make [%u] : !rows
  %l = task.make [%u] : !rows
  %s = task.make [%u, %d] : !sum
  task.launch @start(%m, %l, %s) : !rows, !rows, !sum
  %ks = task.blocks %k by [all, %w, all] : !in3
  %vs = task.blocks %v by [all, %w, all] : !in3
  %n = task.count %ks, 1 : !in3p
  task.srange %j to %n {
    %x = task.piece %ks[all, %j, all] : !in3p
    %y = task.piece %vs[all, %j, all] : !in3p
    %from = arith.muli %j, %w : index
    %next = arith.addi %from, %w : index
    %ends = arith.cmpi sgt, %next, %keys : index
    %left = arith.subi %keys, %from : index
    task.launch @step(%q, %x, %y, %m, %l, %s, %ends, %left, %c)
      : !in3, !in3, !in3, !rows, !rows, !sum, i1, index, f32
  }
  task.launch @end(%l, %s, %o) : !rows, !sum, !out3
}

task.variant @start_tile of @start leaf(writes %m: !rows, writes %l: !rows, writes %s: !sum) {
  %lowest = arith.constant 0xFF800000 : f32
  %f0 = arith.constant 0.0 : f32
  %m_start = tile.splat %lowest : f32 -> !row
  %l_start = tile.splat %f0 : f32 -> !row
  %s_start = tile.splat %f0 : f32 -> !sums
  task.write %m_start, %m : !row, !rows
  task.write %l_start, %l : !row, !rows
  task.write %s_start, %s : !sums, !sum
}

task.variant @step_tile of @step leaf(reads %q: !in3, reads %k: !in3, reads %v: !in3,
                                      reads writes %m: !rows, reads writes %l: !rows,
                                      reads writes %s: !sum, %ends: i1, %left: index, %c: f32) {
  %f0 = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %c_scores = tile.splat %c : f32 -> !scores
  %c_row = tile.splat %c : f32 -> !row
  %no_scores = tile.splat %f0 : f32 -> !scores
  %masked = tile.splat %lowest : f32 -> !scores
  %q3 = task.read %q : !in3 -> !query
  %k3 = task.read %k : !in3 -> !keys
  %v3 = task.read %v : !in3 -> !keys
  %q2 = tile.reshape %q3 : !query -> !query2
  %k2 = tile.reshape %k3 : !keys -> !keys2
  %v2 = tile.reshape %v3 : !keys -> !keys2
  %m_old = task.read %m : !rows -> !row
  %l_old = task.read %l : !rows -> !row
  %s_old = task.read %s : !sum -> !sums
  %kt = tile.trans %k2, [1, 0] : !keys2 -> !keys_t
  %s_all = tile.dot %q2, %kt, %no_scores : !query2, !keys_t -> !scores

  // Only keys that exist: the zeros beyond the edge would count as scores of 0.
  %p_all = scf.if %ends -> (!scores) {
    %left_i32 = arith.index_cast %left : index to i32
    %limit = tile.splat %left_i32 : i32 -> tensor<?xi32, #tile.shape<"N">>
    %numbers = tile.iota : tensor<?xi32, #tile.shape<"N">>
    %exists = arith.cmpi slt, %numbers, %limit : tensor<?xi32, #tile.shape<"N">>
    %exists_row = tile.expand_dims %exists, 0
      : tensor<?xi1, #tile.shape<"N">> -> tensor<1x?xi1, #tile.shape<"", "N">>
    %mask = tile.broadcast %exists_row
      : tensor<1x?xi1, #tile.shape<"", "N">> -> tensor<?x?xi1, #tile.shape<"M", "N">>
    %s_masked = arith.select %mask, %s_all, %masked : tensor<?x?xi1, #tile.shape<"M", "N">>, !scores
    scf.yield %s_masked : !scores
  } else {
    scf.yield %s_all : !scores
  }

  %m_here = tile.reduce %p_all axis 1 : !scores -> !row combine (%a: f32, %b: f32) {
    %larger = arith.maximumf %a, %b : f32
    tile.yield %larger : f32
  }
  %m_next = arith.maximumf %m_old, %m_here : !row

  // p = exp(scale (s - m)) as 2^(c s - c m).
  %m_scaled = arith.mulf %m_next, %c_row : !row
  %shift = arith.negf %m_scaled : !row
  %shift_column = tile.expand_dims %shift, 1 : !row -> !column
  %shifts = tile.broadcast %shift_column : !column -> !scores
  %exponents = math.fma %p_all, %c_scores, %shifts : !scores
  %p = math.exp2 %exponents : !scores
  %l_here = tile.reduce %p axis 1 : !scores -> !row combine (%a: f32, %b: f32) {
    %both = arith.addf %a, %b : f32
    tile.yield %both : f32
  }
  %growth = math.fma %m_old, %c_row, %shift : !row
  %rescale = math.exp2 %growth : !row
  %l_scaled = arith.mulf %l_old, %rescale : !row
  %l_next = arith.addf %l_scaled, %l_here : !row
  %rescale_column = tile.expand_dims %rescale, 1 : !row -> !column
  %rescales = tile.broadcast %rescale_column : !column -> !sums
  %s_scaled = arith.mulf %s_old, %rescales : !sums
  %p_in = tile.cast %p : !scores -> !weights
  %s_next = tile.dot %p_in, %v2, %s_scaled : !weights, !keys2 -> !sums
  task.write %m_next, %m : !row, !rows
  task.write %l_next, %l : !row, !rows
  task.write %s_next, %s : !sums, !sum
}

task.variant @end_tile of @end leaf(reads %l: !rows, reads %s: !sum, writes %o: !out3) {
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %l_end = task.read %l : !rows -> !row
  %s_end = task.read %s : !sum -> !sums
  // l is 0 only without keys.
  %zeros = tile.splat %f0 : f32 -> !row
  %ones = tile.splat %f1 : f32 -> !row
  %quotient = arith.divf %ones, %l_end : !row
  %empty = arith.cmpf oeq, %l_end, %zeros : !row
  %inverse = arith.select %empty, %zeros, %quotient : tensor<?xi1, #tile.shape<"M">>, !row
  %inverse_column = tile.expand_dims %inverse, 1 : !row -> !column
  %inverses = tile.broadcast %inverse_column : !column -> !sums
  %mean = arith.mulf %s_end, %inverses : !sums
  %o2 = tile.cast %mean : !sums -> !result
  %o3 = tile.reshape %o2 : !result -> !result3
  task.write %o3, %o : !result3, !out3
}

task.mapping @auto entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128
    task.tune "D" = 128
  }
  task.instance @block runs @block on block memories [shared, global, global, global]
      calls [@start, @step, @end] {
    task.tune "W" = 128
  }
  task.instance @start runs @start_tile on block
  task.instance @step runs @step_tile on block memories [shared, shared, shared, none, none, none]
  task.instance @end runs @end_tile on block
}
