// Attention in roles, the shape of FlashAttention-4: one process loads, one does nothing
// but start products, two turn scores into weights (one for each of two query tiles that
// share keys and values), one rescales sums, one writes. Computes what
// examples/attention.mlir computes with BM = BN = D = 64, operation by operation.
//
//             keys, values            scores              weights
//     load ------------------> mma ------------> softmax ----------> mma
//          query (both tiles)   ^                   | growth, total
//                               | rescaled sum      v
//                               +------------- correct ------> write
//                              sum (of mma) ------^     result
//
// The machine this is for keeps accumulators in a memory of their own, so a product is
// started into a slot of a ring and fills it by itself: mma publishes flights, frees
// keys, weights and old sums by flights, and awaits none. Every such ring has one slot:
// the accumulator. The order of starts, per block j of keys and queries 0 and 1,
//
//     scores0(0) scores1(0)   { sum0(j-1) scores0(j) sum1(j-1) scores1(j) }   sum0 sum1
//
// hides softmax of one query behind the products of the other. Rescaling a sum is off
// softmax's path: correct does it, when softmax says by how much.
//
//   heddle simulate examples/aref/attention.mlir --oracle examples/attention.mlir
//     --oracle-set BM=64 --oracle-set BN=64 --oracle-set D=64 --view q=2x200x64
//     --view k=2x150x64 --view v=2x150x64 --view o=2x200x64 --scalar scale=0.125

!turn = !aref.turn
!array = !tile.view<?x?x?xf16>
!block = tensor<1x64x64xf16>
!tile16 = tensor<64x64xf16>
!tile32 = tensor<64x64xf32>
!row = tensor<64xf32>
!column = tensor<64x1xf32>
!flight = !aref.flight<!tile32>
!pair_ring = !aref.ring<[!tile16, !tile16]>
!ring16 = !aref.ring<[!tile16]>
!ring32 = !aref.ring<[!tile32]>
!row_ring = !aref.ring<[!row]>

tile.kernel @attention(%q: !array, %k: !array, %v: !array, %o: !array, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %log2_e = arith.constant 1.44269504 : f32
  %c = arith.mulf %scale, %log2_e : f32
  %heads = tile.dim %q, 0 : !array
  %queries = tile.dim %q, 1 : !array
  %keys = tile.dim %k, 1 : !array
  %blocks = arith.ceildivui %keys, %c64 : index
  %any = arith.cmpi ne, %blocks, %c0 : index
  // An item is 128 queries of one head: two tiles of 64.
  %pairs = arith.ceildivui %queries, %c128 : index
  %items = arith.muli %heads, %pairs : index
  %me = tile.worker_id : index
  %workers = tile.worker_count : index

  %query = aref.ring "query" depth 1 : !pair_ring
  %ks = aref.ring "keys" depth 2 : !ring16
  %vs = aref.ring "values" depth 2 : !ring16
  %s0 = aref.ring "scores0" depth 1 : !ring32
  %p0 = aref.ring "weights0" depth 1 : !ring16
  %g0 = aref.ring "growth0" depth 1 : !row_ring
  %l0 = aref.ring "total0" depth 1 : !row_ring
  %old0 = aref.ring "rescaled0" depth 1 : !ring32
  %new0 = aref.ring "sum0" depth 1 : !ring32
  %out0 = aref.ring "result0" depth 1 : !ring16
  %s1 = aref.ring "scores1" depth 1 : !ring32
  %p1 = aref.ring "weights1" depth 1 : !ring16
  %g1 = aref.ring "growth1" depth 1 : !row_ring
  %l1 = aref.ring "total1" depth 1 : !row_ring
  %old1 = aref.ring "rescaled1" depth 1 : !ring32
  %new1 = aref.ring "sum1" depth 1 : !ring32
  %out1 = aref.ring "result1" depth 1 : !ring16

  aref.process "load" warps 1 registers 0 {
    %query0 = aref.first_turn %query : !pair_ring
    %ks0 = aref.first_turn %ks : !ring16
    %vs0 = aref.first_turn %vs : !ring16
    scf.for %item = %me to %items step %workers
        iter_args(%query_t = %query0, %ks_t = %ks0, %vs_t = %vs0)
        -> (!turn, !turn, !turn) {
      %head = arith.divui %item, %pairs : index
      %pair = arith.remui %item, %pairs : index
      %row0 = arith.muli %pair, %c128 : index
      %row1 = arith.addi %row0, %c64 : index
      %query_slot, %query_n = aref.acquire %query[%query_t] : !pair_ring
      %q0_block = tile.load %q[%head, %row0, %c0] : !array -> !block
      %q1_block = tile.load %q[%head, %row1, %c0] : !array -> !block
      %q0 = tile.reshape %q0_block : !block -> !tile16
      %q1 = tile.reshape %q1_block : !block -> !tile16
      aref.publish %query[%query_slot], %q0, %q1 : !pair_ring, !tile16, !tile16
      %ks_e, %vs_e = scf.for %j = %c0 to %keys step %c64
          iter_args(%kt = %ks_t, %vt = %vs_t) -> (!turn, !turn) {
        %k_slot, %kn = aref.acquire %ks[%kt] : !ring16
        %k_block = tile.load %k[%head, %j, %c0] : !array -> !block
        %k_tile = tile.reshape %k_block : !block -> !tile16
        aref.publish %ks[%k_slot], %k_tile : !ring16, !tile16
        %v_slot, %vn = aref.acquire %vs[%vt] : !ring16
        %v_block = tile.load %v[%head, %j, %c0] : !array -> !block
        %v_tile = tile.reshape %v_block : !block -> !tile16
        aref.publish %vs[%v_slot], %v_tile : !ring16, !tile16
        scf.yield %kn, %vn : !turn, !turn
      }
      scf.yield %query_n, %ks_e, %vs_e : !turn, !turn, !turn
    }
  }

  aref.process "mma" warps 1 registers 0 {
    %nothing = tile.splat %f0 : f32 -> !tile32
    %query_0 = aref.first_turn %query : !pair_ring
    %ks_0 = aref.first_turn %ks : !ring16
    %vs_0 = aref.first_turn %vs : !ring16
    %s0_0 = aref.first_turn %s0 : !ring32
    %s1_0 = aref.first_turn %s1 : !ring32
    %p0_0 = aref.first_turn %p0 : !ring16
    %p1_0 = aref.first_turn %p1 : !ring16
    %old0_0 = aref.first_turn %old0 : !ring32
    %old1_0 = aref.first_turn %old1 : !ring32
    %new0_0 = aref.first_turn %new0 : !ring32
    %new1_0 = aref.first_turn %new1 : !ring32
    scf.for %item = %me to %items step %workers
        iter_args(%query_t = %query_0, %ks_t = %ks_0, %vs_t = %vs_0, %s0_t = %s0_0, %s1_t = %s1_0,
            %p0_t = %p0_0, %p1_t = %p1_0, %old0_t = %old0_0, %old1_t = %old1_0, %new0_t = %new0_0,
            %new1_t = %new1_0)
        -> (!turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn) {
      %query_slot, %query_n, %q0, %q1 = aref.get %query[%query_t] : !pair_ring -> !tile16, !tile16
      %e:10 = scf.if %any
          -> (!turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn) {
        %k_slot, %k_n, %k_tile = aref.get %ks[%ks_t] : !ring16 -> !tile16
        %s0_slot, %s0_n = aref.acquire %s0[%s0_t] : !ring32
        %score0 = aref.start "tensor" (%a = %q0 : !tile16, %b = %k_tile : !tile16,
                                         %acc = %nothing : !tile32) {
          %b_t = tile.trans %b, [1, 0] : !tile16 -> !tile16
          %d = tile.dot %a, %b_t, %acc : !tile16, !tile16 -> !tile32
          aref.yield %d : !tile32
        } : !flight
        aref.publish %s0[%s0_slot], %score0 : !ring32, !flight
        %s1_slot, %s1_n = aref.acquire %s1[%s1_t] : !ring32
        %score1 = aref.start "tensor" (%a = %q1 : !tile16, %b = %k_tile : !tile16,
                                         %acc = %nothing : !tile32) {
          %b_t = tile.trans %b, [1, 0] : !tile16 -> !tile16
          %d = tile.dot %a, %b_t, %acc : !tile16, !tile16 -> !tile32
          aref.yield %d : !tile32
        } : !flight
        aref.publish %s1[%s1_slot], %score1 : !ring32, !flight
        aref.release %ks[%k_slot] after %score1 : !ring16, !flight

        %last, %m:10 = scf.for %j = %c1 to %blocks step %c1
            iter_args(%previous = %score1, %kt = %k_n, %vt = %vs_t, %s0t = %s0_n, %s1t = %s1_n, %p0t
                = %p0_t, %p1t = %p1_t, %old0t = %old0_t, %old1t = %old1_t, %new0t = %new0_t, %new1t
                = %new1_t)
            -> (!flight, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn) {
          %v_slot, %v_n, %v_tile = aref.get %vs[%vt] : !ring16 -> !tile16
          %p0_slot, %p0_n, %w0 = aref.get %p0[%p0t] : !ring16 -> !tile16
          %old0_slot, %old0_n, %before0 = aref.get %old0[%old0t] : !ring32 -> !tile32
          %new0_slot, %new0_n = aref.acquire %new0[%new0t] : !ring32
          %sum0 = aref.start "tensor" (%a = %w0 : !tile16, %b = %v_tile : !tile16,
                                         %acc = %before0 : !tile32) {
            %d = tile.dot %a, %b, %acc : !tile16, !tile16 -> !tile32
            aref.yield %d : !tile32
          } : !flight
          aref.publish %new0[%new0_slot], %sum0 : !ring32, !flight
          aref.release %p0[%p0_slot] after %sum0 : !ring16, !flight
          aref.release %old0[%old0_slot] after %sum0 : !ring32, !flight
          %kj_slot, %kj_n, %kj_tile = aref.get %ks[%kt] : !ring16 -> !tile16
          %s0j_slot, %s0j_n = aref.acquire %s0[%s0t] : !ring32
          %score0_j = aref.start "tensor" (%a = %q0 : !tile16, %b = %kj_tile : !tile16,
                                           %acc = %nothing : !tile32) {
            %b_t = tile.trans %b, [1, 0] : !tile16 -> !tile16
            %d = tile.dot %a, %b_t, %acc : !tile16, !tile16 -> !tile32
            aref.yield %d : !tile32
          } : !flight
          aref.publish %s0[%s0j_slot], %score0_j : !ring32, !flight
          %p1_slot, %p1_n, %w1 = aref.get %p1[%p1t] : !ring16 -> !tile16
          %old1_slot, %old1_n, %before1 = aref.get %old1[%old1t] : !ring32 -> !tile32
          %new1_slot, %new1_n = aref.acquire %new1[%new1t] : !ring32
          %sum1 = aref.start "tensor" (%a = %w1 : !tile16, %b = %v_tile : !tile16,
                                         %acc = %before1 : !tile32) {
            %d = tile.dot %a, %b, %acc : !tile16, !tile16 -> !tile32
            aref.yield %d : !tile32
          } : !flight
          aref.publish %new1[%new1_slot], %sum1 : !ring32, !flight
          aref.release %p1[%p1_slot] after %sum1 : !ring16, !flight
          aref.release %old1[%old1_slot] after %sum1 : !ring32, !flight
          aref.release %vs[%v_slot] after %sum1 : !ring16, !flight
          %s1j_slot, %s1j_n = aref.acquire %s1[%s1t] : !ring32
          %score1_j = aref.start "tensor" (%a = %q1 : !tile16, %b = %kj_tile : !tile16,
                                           %acc = %nothing : !tile32) {
            %b_t = tile.trans %b, [1, 0] : !tile16 -> !tile16
            %d = tile.dot %a, %b_t, %acc : !tile16, !tile16 -> !tile32
            aref.yield %d : !tile32
          } : !flight
          aref.publish %s1[%s1j_slot], %score1_j : !ring32, !flight
          aref.release %ks[%kj_slot] after %score1_j : !ring16, !flight
          scf.yield %score1_j, %kj_n, %v_n, %s0j_n, %s1j_n, %p0_n, %p1_n, %old0_n, %old1_n, %new0_n,
              %new1_n
            : !flight, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn
        }
        // The last scores have been started, so the queries are free when they land.
        aref.release %query[%query_slot] after %last : !pair_ring, !flight

        %v_slot, %v_n, %v_tile = aref.get %vs[%m#1] : !ring16 -> !tile16
        %p0_slot, %p0_n, %w0 = aref.get %p0[%m#4] : !ring16 -> !tile16
        %old0_slot, %old0_n, %before0 = aref.get %old0[%m#6] : !ring32 -> !tile32
        %new0_slot, %new0_n = aref.acquire %new0[%m#8] : !ring32
        %sum0 = aref.start "tensor" (%a = %w0 : !tile16, %b = %v_tile : !tile16,
                                       %acc = %before0 : !tile32) {
          %d = tile.dot %a, %b, %acc : !tile16, !tile16 -> !tile32
          aref.yield %d : !tile32
        } : !flight
        aref.publish %new0[%new0_slot], %sum0 : !ring32, !flight
        aref.release %p0[%p0_slot] after %sum0 : !ring16, !flight
        aref.release %old0[%old0_slot] after %sum0 : !ring32, !flight
        %p1_slot, %p1_n, %w1 = aref.get %p1[%m#5] : !ring16 -> !tile16
        %old1_slot, %old1_n, %before1 = aref.get %old1[%m#7] : !ring32 -> !tile32
        %new1_slot, %new1_n = aref.acquire %new1[%m#9] : !ring32
        %sum1 = aref.start "tensor" (%a = %w1 : !tile16, %b = %v_tile : !tile16,
                                       %acc = %before1 : !tile32) {
          %d = tile.dot %a, %b, %acc : !tile16, !tile16 -> !tile32
          aref.yield %d : !tile32
        } : !flight
        aref.publish %new1[%new1_slot], %sum1 : !ring32, !flight
        aref.release %p1[%p1_slot] after %sum1 : !ring16, !flight
        aref.release %old1[%old1_slot] after %sum1 : !ring32, !flight
        aref.release %vs[%v_slot] after %sum1 : !ring16, !flight
        scf.yield %m#0, %v_n, %m#2, %m#3, %p0_n, %p1_n, %old0_n, %old1_n, %new0_n, %new1_n
          : !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn
      } else {
        aref.release %query[%query_slot] : !pair_ring
        scf.yield %ks_t, %vs_t, %s0_t, %s1_t, %p0_t, %p1_t, %old0_t, %old1_t, %new0_t, %new1_t
          : !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn
      }
      scf.yield %query_n, %e#0, %e#1, %e#2, %e#3, %e#4, %e#5, %e#6, %e#7, %e#8, %e#9
        : !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn
    }
  }

  // Scores to weights 2^(c s - c m), m the largest score so far. Says by how much the
  // sums so far shrink, and at the end what the weights add up to.
  aref.process "softmax0" warps 4 registers 0 {
    %s_0 = aref.first_turn %s0 : !ring32
    %p_0 = aref.first_turn %p0 : !ring16
    %g_0 = aref.first_turn %g0 : !row_ring
    %l_0 = aref.first_turn %l0 : !row_ring
    %c_scores = tile.splat %c : f32 -> !tile32
    %c_row = tile.splat %c : f32 -> !row
    %masked = tile.splat %lowest : f32 -> !tile32
    %m_start = tile.splat %lowest : f32 -> !row
    %l_start = tile.splat %f0 : f32 -> !row
    scf.for %item = %me to %items step %workers
        iter_args(%s_t = %s_0, %p_t = %p_0, %g_t = %g_0, %l_t = %l_0)
        -> (!turn, !turn, !turn, !turn) {
      %m_end, %l_end, %s_e, %p_e, %g_e = scf.for %j = %c0 to %keys step %c64
          iter_args(%m = %m_start, %l = %l_start, %st = %s_t, %pt = %p_t, %gt = %g_t)
          -> (!row, !row, !turn, !turn, !turn) {
        %s_slot, %s_n, %s_all = aref.get %s0[%st] : !ring32 -> !tile32
        // Only keys that exist: the view's zeros would count as scores of 0.
        %left = arith.subi %keys, %j : index
        %left_i32 = arith.index_cast %left : index to i32
        %ends = tile.splat %left_i32 : i32 -> tensor<64xi32>
        %numbers = tile.iota : tensor<64xi32>
        %exists = arith.cmpi slt, %numbers, %ends : tensor<64xi32>
        %exists_row = tile.expand_dims %exists, 0 : tensor<64xi1> -> tensor<1x64xi1>
        %mask = tile.broadcast %exists_row : tensor<1x64xi1> -> tensor<64x64xi1>
        %s = arith.select %mask, %s_all, %masked : tensor<64x64xi1>, !tile32
        aref.release %s0[%s_slot] after %s : !ring32, !tile32

        %m_here = tile.reduce %s axis 1 : !tile32 -> !row combine (%a: f32, %b: f32) {
          %larger = arith.maximumf %a, %b : f32
          tile.yield %larger : f32
        }
        %m_next = arith.maximumf %m, %m_here : !row
        %m_scaled = arith.mulf %m_next, %c_row : !row
        %shift = arith.negf %m_scaled : !row
        %growth = math.fma %m, %c_row, %shift : !row
        %rescale = math.exp2 %growth : !row
        %g_slot, %g_n = aref.acquire %g0[%gt] : !row_ring
        aref.publish %g0[%g_slot], %rescale : !row_ring, !row

        %shift_column = tile.expand_dims %shift, 1 : !row -> !column
        %shifts = tile.broadcast %shift_column : !column -> !tile32
        %exponents = math.fma %s, %c_scores, %shifts : !tile32
        %p = math.exp2 %exponents : !tile32
        %p_in = tile.cast %p : !tile32 -> !tile16
        %p_slot, %p_n = aref.acquire %p0[%pt] : !ring16
        aref.publish %p0[%p_slot], %p_in : !ring16, !tile16

        %l_here = tile.reduce %p axis 1 : !tile32 -> !row combine (%a: f32, %b: f32) {
          %both = arith.addf %a, %b : f32
          tile.yield %both : f32
        }
        %l_scaled = arith.mulf %l, %rescale : !row
        %l_next = arith.addf %l_scaled, %l_here : !row
        scf.yield %m_next, %l_next, %s_n, %p_n, %g_n
          : !row, !row, !turn, !turn, !turn
      }
      %l_slot, %l_n = aref.acquire %l0[%l_t] : !row_ring
      aref.publish %l0[%l_slot], %l_end : !row_ring, !row
      scf.yield %s_e, %p_e, %g_e, %l_n : !turn, !turn, !turn, !turn
    }
  }

  // Scores to weights 2^(c s - c m), m the largest score so far. Says by how much the
  // sums so far shrink, and at the end what the weights add up to.
  aref.process "softmax1" warps 4 registers 0 {
    %s_0 = aref.first_turn %s1 : !ring32
    %p_0 = aref.first_turn %p1 : !ring16
    %g_0 = aref.first_turn %g1 : !row_ring
    %l_0 = aref.first_turn %l1 : !row_ring
    %c_scores = tile.splat %c : f32 -> !tile32
    %c_row = tile.splat %c : f32 -> !row
    %masked = tile.splat %lowest : f32 -> !tile32
    %m_start = tile.splat %lowest : f32 -> !row
    %l_start = tile.splat %f0 : f32 -> !row
    scf.for %item = %me to %items step %workers
        iter_args(%s_t = %s_0, %p_t = %p_0, %g_t = %g_0, %l_t = %l_0)
        -> (!turn, !turn, !turn, !turn) {
      %m_end, %l_end, %s_e, %p_e, %g_e = scf.for %j = %c0 to %keys step %c64
          iter_args(%m = %m_start, %l = %l_start, %st = %s_t, %pt = %p_t, %gt = %g_t)
          -> (!row, !row, !turn, !turn, !turn) {
        %s_slot, %s_n, %s_all = aref.get %s1[%st] : !ring32 -> !tile32
        // Only keys that exist: the view's zeros would count as scores of 0.
        %left = arith.subi %keys, %j : index
        %left_i32 = arith.index_cast %left : index to i32
        %ends = tile.splat %left_i32 : i32 -> tensor<64xi32>
        %numbers = tile.iota : tensor<64xi32>
        %exists = arith.cmpi slt, %numbers, %ends : tensor<64xi32>
        %exists_row = tile.expand_dims %exists, 0 : tensor<64xi1> -> tensor<1x64xi1>
        %mask = tile.broadcast %exists_row : tensor<1x64xi1> -> tensor<64x64xi1>
        %s = arith.select %mask, %s_all, %masked : tensor<64x64xi1>, !tile32
        aref.release %s1[%s_slot] after %s : !ring32, !tile32

        %m_here = tile.reduce %s axis 1 : !tile32 -> !row combine (%a: f32, %b: f32) {
          %larger = arith.maximumf %a, %b : f32
          tile.yield %larger : f32
        }
        %m_next = arith.maximumf %m, %m_here : !row
        %m_scaled = arith.mulf %m_next, %c_row : !row
        %shift = arith.negf %m_scaled : !row
        %growth = math.fma %m, %c_row, %shift : !row
        %rescale = math.exp2 %growth : !row
        %g_slot, %g_n = aref.acquire %g1[%gt] : !row_ring
        aref.publish %g1[%g_slot], %rescale : !row_ring, !row

        %shift_column = tile.expand_dims %shift, 1 : !row -> !column
        %shifts = tile.broadcast %shift_column : !column -> !tile32
        %exponents = math.fma %s, %c_scores, %shifts : !tile32
        %p = math.exp2 %exponents : !tile32
        %p_in = tile.cast %p : !tile32 -> !tile16
        %p_slot, %p_n = aref.acquire %p1[%pt] : !ring16
        aref.publish %p1[%p_slot], %p_in : !ring16, !tile16

        %l_here = tile.reduce %p axis 1 : !tile32 -> !row combine (%a: f32, %b: f32) {
          %both = arith.addf %a, %b : f32
          tile.yield %both : f32
        }
        %l_scaled = arith.mulf %l, %rescale : !row
        %l_next = arith.addf %l_scaled, %l_here : !row
        scf.yield %m_next, %l_next, %s_n, %p_n, %g_n
          : !row, !row, !turn, !turn, !turn
      }
      %l_slot, %l_n = aref.acquire %l1[%l_t] : !row_ring
      aref.publish %l1[%l_slot], %l_end : !row_ring, !row
      scf.yield %s_e, %p_e, %g_e, %l_n : !turn, !turn, !turn, !turn
    }
  }

  // Rescales the sums between two products, and divides them by the total at the end.
  aref.process "correct" warps 4 registers 0 {
    %nothing = tile.splat %f0 : f32 -> !tile32
    %zeros = tile.splat %f0 : f32 -> !row
    %ones = tile.splat %f1 : f32 -> !row
    %new0_0 = aref.first_turn %new0 : !ring32
    %g0_0 = aref.first_turn %g0 : !row_ring
    %old0_0 = aref.first_turn %old0 : !ring32
    %l0_0 = aref.first_turn %l0 : !row_ring
    %out0_0 = aref.first_turn %out0 : !ring16
    %new1_0 = aref.first_turn %new1 : !ring32
    %g1_0 = aref.first_turn %g1 : !row_ring
    %old1_0 = aref.first_turn %old1 : !ring32
    %l1_0 = aref.first_turn %l1 : !row_ring
    %out1_0 = aref.first_turn %out1 : !ring16
    scf.for %item = %me to %items step %workers
        iter_args(%new0_t = %new0_0, %g0_t = %g0_0, %old0_t = %old0_0, %l0_t = %l0_0, %out0_t =
            %out0_0, %new1_t = %new1_0, %g1_t = %g1_0, %old1_t = %old1_0, %l1_t = %l1_0, %out1_t =
            %out1_0)
        -> (!turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn) {
      %new0_e, %g0_e, %old0_e, %new1_e, %g1_e, %old1_e = scf.for %j = %c0 to %blocks step %c1
          iter_args(%new0t = %new0_t, %g0t = %g0_t, %old0t = %old0_t, %new1t = %new1_t, %g1t =
              %g1_t, %old1t = %old1_t)
          -> (!turn, !turn, !turn, !turn, !turn, !turn) {
        %is_later = arith.cmpi ne, %j, %c0 : index
        // Sum 0 so far, rescaled for block j; before the first block there is none.
        %scaled0, %new0_j, %g0_j = scf.if %is_later -> (!tile32, !turn, !turn) {
          %slot, %n, %sum = aref.get %new0[%new0t] : !ring32 -> !tile32
          %g_slot, %gn, %rescale = aref.get %g0[%g0t] : !row_ring -> !row
          %rescale_column = tile.expand_dims %rescale, 1 : !row -> !column
          %rescales = tile.broadcast %rescale_column : !column -> !tile32
          %product = arith.mulf %sum, %rescales : !tile32
          aref.release %g0[%g_slot] after %product : !row_ring, !tile32
          aref.release %new0[%slot] after %product : !ring32, !tile32
          scf.yield %product, %n, %gn : !tile32, !turn, !turn
        } else {
          %g_slot, %gn, %unused = aref.get %g0[%g0t] : !row_ring -> !row
          aref.release %g0[%g_slot] : !row_ring
          scf.yield %nothing, %new0t, %gn : !tile32, !turn, !turn
        }
        %old0_slot, %old0_j = aref.acquire %old0[%old0t] : !ring32
        aref.publish %old0[%old0_slot], %scaled0 : !ring32, !tile32
        // Sum 1 so far, rescaled for block j; before the first block there is none.
        %scaled1, %new1_j, %g1_j = scf.if %is_later -> (!tile32, !turn, !turn) {
          %slot, %n, %sum = aref.get %new1[%new1t] : !ring32 -> !tile32
          %g_slot, %gn, %rescale = aref.get %g1[%g1t] : !row_ring -> !row
          %rescale_column = tile.expand_dims %rescale, 1 : !row -> !column
          %rescales = tile.broadcast %rescale_column : !column -> !tile32
          %product = arith.mulf %sum, %rescales : !tile32
          aref.release %g1[%g_slot] after %product : !row_ring, !tile32
          aref.release %new1[%slot] after %product : !ring32, !tile32
          scf.yield %product, %n, %gn : !tile32, !turn, !turn
        } else {
          %g_slot, %gn, %unused = aref.get %g1[%g1t] : !row_ring -> !row
          aref.release %g1[%g_slot] : !row_ring
          scf.yield %nothing, %new1t, %gn : !tile32, !turn, !turn
        }
        %old1_slot, %old1_j = aref.acquire %old1[%old1t] : !ring32
        aref.publish %old1[%old1_slot], %scaled1 : !ring32, !tile32
        scf.yield %new0_j, %g0_j, %old0_j, %new1_j, %g1_j, %old1_j
          : !turn, !turn, !turn, !turn, !turn, !turn
      }
      // The mean of tile 0; without keys it is 0.
      %l0_slot, %l0_n, %l0_end = aref.get %l0[%l0_t] : !row_ring -> !row
      %quotient0 = arith.divf %ones, %l0_end : !row
      %empty0 = arith.cmpf oeq, %l0_end, %zeros : !row
      %inverse0 = arith.select %empty0, %zeros, %quotient0 : tensor<64xi1>, !row
      aref.release %l0[%l0_slot] after %inverse0 : !row_ring, !row
      %inverse_column0 = tile.expand_dims %inverse0, 1 : !row -> !column
      %inverses0 = tile.broadcast %inverse_column0 : !column -> !tile32
      %mean0, %new0_n = scf.if %any -> (!tile32, !turn) {
        %slot, %n, %sum = aref.get %new0[%new0_e] : !ring32 -> !tile32
        %mean = arith.mulf %sum, %inverses0 : !tile32
        aref.release %new0[%slot] after %mean : !ring32, !tile32
        scf.yield %mean, %n : !tile32, !turn
      } else {
        scf.yield %nothing, %new0_e : !tile32, !turn
      }
      %result0 = tile.cast %mean0 : !tile32 -> !tile16
      %out0_slot, %out0_n = aref.acquire %out0[%out0_t] : !ring16
      aref.publish %out0[%out0_slot], %result0 : !ring16, !tile16
      // The mean of tile 1; without keys it is 0.
      %l1_slot, %l1_n, %l1_end = aref.get %l1[%l1_t] : !row_ring -> !row
      %quotient1 = arith.divf %ones, %l1_end : !row
      %empty1 = arith.cmpf oeq, %l1_end, %zeros : !row
      %inverse1 = arith.select %empty1, %zeros, %quotient1 : tensor<64xi1>, !row
      aref.release %l1[%l1_slot] after %inverse1 : !row_ring, !row
      %inverse_column1 = tile.expand_dims %inverse1, 1 : !row -> !column
      %inverses1 = tile.broadcast %inverse_column1 : !column -> !tile32
      %mean1, %new1_n = scf.if %any -> (!tile32, !turn) {
        %slot, %n, %sum = aref.get %new1[%new1_e] : !ring32 -> !tile32
        %mean = arith.mulf %sum, %inverses1 : !tile32
        aref.release %new1[%slot] after %mean : !ring32, !tile32
        scf.yield %mean, %n : !tile32, !turn
      } else {
        scf.yield %nothing, %new1_e : !tile32, !turn
      }
      %result1 = tile.cast %mean1 : !tile32 -> !tile16
      %out1_slot, %out1_n = aref.acquire %out1[%out1_t] : !ring16
      aref.publish %out1[%out1_slot], %result1 : !ring16, !tile16
      scf.yield %new0_n, %g0_e, %old0_e, %l0_n, %out0_n, %new1_n, %g1_e, %old1_e, %l1_n, %out1_n
        : !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn, !turn
    }
  }

  aref.process "write" warps 1 registers 0 {
    %out0_0 = aref.first_turn %out0 : !ring16
    %out1_0 = aref.first_turn %out1 : !ring16
    scf.for %item = %me to %items step %workers
        iter_args(%out0_t = %out0_0, %out1_t = %out1_0) -> (!turn, !turn) {
      %head = arith.divui %item, %pairs : index
      %pair = arith.remui %item, %pairs : index
      %row0 = arith.muli %pair, %c128 : index
      %row1 = arith.addi %row0, %c64 : index
      %out0_slot, %out0_n, %result0 = aref.get %out0[%out0_t] : !ring16 -> !tile16
      %block0 = tile.reshape %result0 : !tile16 -> !block
      tile.store %block0, %o[%head, %row0, %c0] : !block, !array
      aref.release %out0[%out0_slot] after %block0 : !ring16, !block
      %out1_slot, %out1_n, %result1 = aref.get %out1[%out1_t] : !ring16 -> !tile16
      %block1 = tile.reshape %result1 : !tile16 -> !block
      tile.store %block1, %o[%head, %row1, %c0] : !block, !array
      aref.release %out1[%out1_slot] after %block1 : !ring16, !block
      scf.yield %out0_n, %out1_n : !turn, !turn
    }
  }
}
