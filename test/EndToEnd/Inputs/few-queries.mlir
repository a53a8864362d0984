// Attention of sixteen queries: two small products, one on the other's result, and rows
// that are rescaled.
tile.param @BM : {16, 32} = 16
tile.param @BN : {16, 32, 64, 128} = 64
tile.param @D : {32, 64, 128} = 64
!q = tensor<?x?xf16, #tile.shape<"BM", "D">>
!k = tensor<?x?xf16, #tile.shape<"BN", "D">>
!kt = tensor<?x?xf16, #tile.shape<"D", "BN">>
!s = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!p = tensor<?x?xf16, #tile.shape<"BM", "BN">>
!o = tensor<?x?xf32, #tile.shape<"BM", "D">>
!row = tensor<?xf32, #tile.shape<"BM">>
!column = tensor<?x1xf32, #tile.shape<"BM", "">>
tile.kernel @few_queries(%q: !tile.view<?x?xf16>, %k: !tile.view<?x?xf16>, %v: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %least = arith.constant -1.0e30 : f32
  %m = tile.dim %q, 0 : !tile.view<?x?xf16>
  %n = tile.dim %k, 0 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %bm : index
  tile.parallel (%i) to (%gm) {
    %r = arith.muli %i, %bm : index
    %qs = tile.load %q[%r, %c0] : !tile.view<?x?xf16> -> !q
    %no_s = tile.splat %f0 : f32 -> !s
    %no_o = tile.splat %f0 : f32 -> !o
    %no_l = tile.splat %f0 : f32 -> !row
    %no_m = tile.splat %least : f32 -> !row
    %oo, %ll, %mm = scf.for %kk = %c0 to %n step %bn iter_args(%acc = %no_o, %l = %no_l, %mx = %no_m) -> (!o, !row, !row) {
      %ks = tile.load %k[%kk, %c0] : !tile.view<?x?xf16> -> !k
      %vs = tile.load %v[%kk, %c0] : !tile.view<?x?xf16> -> !k
      %kt = tile.trans %ks, [1, 0] : !k -> !kt
      %s = tile.dot %qs, %kt, %no_s : !q, !kt -> !s
      %top = tile.reduce %s axis 1 : !s -> !row combine (%x: f32, %y: f32) {
        %z = arith.maximumf %x, %y : f32
        tile.yield %z : f32
      }
      %new = arith.maximumf %mx, %top : !row
      %down = arith.subf %mx, %new : !row
      %alpha = math.exp2 %down : !row
      %new_column = tile.expand_dims %new, 1 : !row -> !column
      %new_tile = tile.broadcast %new_column : !column -> !s
      %less = arith.subf %s, %new_tile : !s
      %p = math.exp2 %less : !s
      %sum = tile.reduce %p axis 1 : !s -> !row combine (%x: f32, %y: f32) {
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      }
      %l0 = arith.mulf %l, %alpha : !row
      %l1 = arith.addf %l0, %sum : !row
      %alpha_column = tile.expand_dims %alpha, 1 : !row -> !column
      %alpha_tile = tile.broadcast %alpha_column : !column -> !o
      %acc0 = arith.mulf %acc, %alpha_tile : !o
      %p16 = tile.cast %p : !s -> !p
      %acc1 = tile.dot %p16, %vs, %acc0 : !p, !k -> !o
      scf.yield %acc1, %l1, %new : !o, !row, !row
    }
    %l_column = tile.expand_dims %ll, 1 : !row -> !column
    %l_tile = tile.broadcast %l_column : !column -> !o
    %out = arith.divf %oo, %l_tile : !o
    tile.store %out, %o[%r, %c0] : !o, !tile.view<?x?xf32>
  }
}
