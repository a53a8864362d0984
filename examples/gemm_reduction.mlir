// C = A . B and y[i] = sum over k of A[i, k] in one kernel: the sum reads the tile
// of A that the product reads.
//
//   heddle run examples/gemm_reduction.mlir --view a=512x256 --view b=256x512
//     --view c=512x512 --view y=512

!in = f16
!out = f16
#a_order = #tile.order<1, 0>
#b_order = #tile.order<0, 1>

tile.param @BM : {64 to 512 step 64} = 128
tile.param @BN : {16 to 256 step 16} = 256
tile.param @BK : {32, 64, 128} = 64

!a_tile = tensor<?x?x!in, #tile.shape<"BM", "BK">>
!b_tile = tensor<?x?x!in, #tile.shape<"BK", "BN">>
!a_wide = tensor<?x?xf32, #tile.shape<"BM", "BK">>
!tile = tensor<?x?xf32, #tile.shape<"BM", "BN">>
!result = tensor<?x?x!out, #tile.shape<"BM", "BN">>
!row = tensor<?xf32, #tile.shape<"BM">>

tile.kernel @gemm_reduction(%a: !tile.view<?x?x!in, #a_order>,
                            %b: !tile.view<?x?x!in, #b_order>,
                            %c: !tile.view<?x?x!out>, %y: !tile.view<?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x!in, #a_order>
  %n = tile.dim %b, 1 : !tile.view<?x?x!in, #b_order>
  %k = tile.dim %a, 1 : !tile.view<?x?x!in, #a_order>
  %gm = arith.ceildivui %m, %bm : index
  // The sums belong to A alone: without columns of C they still have a tile.
  %columns = arith.maxui %n, %c1 : index
  %gn = arith.ceildivui %columns, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> !tile
    %none = tile.splat %f0 : f32 -> !row
    %product, %total = scf.for %kk = %c0 to %k step %bk
        iter_args(%s = %zero, %t = %none) -> (!tile, !row) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?x!in, #a_order> -> !a_tile
      %w = tile.load %b[%kk, %col] : !tile.view<?x?x!in, #b_order> -> !b_tile
      %d = tile.dot %x, %w, %s : !a_tile, !b_tile -> !tile
      %x_wide = tile.cast %x : !a_tile -> !a_wide
      %here = tile.reduce %x_wide axis 1 : !a_wide -> !row combine (%p: f32, %q: f32) {
        %both = arith.addf %p, %q : f32
        tile.yield %both : f32
      }
      %t_next = arith.addf %t, %here : !row
      scf.yield %d, %t_next : !tile, !row
    }
    %o = tile.cast %product : !tile -> !result
    tile.store %o, %c[%row, %col] : !result, !tile.view<?x?x!out>
    // Every column of tiles has the same sums; the first writes them.
    %is_first = arith.cmpi eq, %j, %c0 : index
    scf.if %is_first {
      tile.store %total, %y[%row] : !row, !tile.view<?xf32>
    }
  }
}
