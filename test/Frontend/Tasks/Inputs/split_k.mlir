// A product whose K is split, for same-ptx.test: what examples/task/split_k_gemm.mlir says.

tile.param @U : {64, 128} = 128
tile.param @V : {64, 128} = 128

!sum = tensor<?x?xf32, #tile.shape<"U", "V">>
!left = tensor<?x64xf16, #tile.shape<"U", "">>
!right = tensor<64x?xf16, #tile.shape<"", "V">>

tile.kernel @split_k_gemm(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %m = tile.dim %c, 0 : !tile.view<?x?xf32>
  %n = tile.dim %c, 1 : !tile.view<?x?xf32>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %u = tile.param_value @U : index
  %v = tile.param_value @V : index
  %part = arith.constant 512 : index
  %w = arith.constant 64 : index
  %steps = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %gm = arith.ceildivui %m, %u : index
  %gn = arith.ceildivui %n, %v : index
  %parts = arith.ceildivui %k, %part : index
  tile.parallel (%i, %j, %p) to (%gm, %gn, %parts) {
    %row = arith.muli %i, %u : index
    %begin = arith.muli %p, %part : index
    %col = arith.muli %j, %v : index
    %zero = tile.splat %f0 : f32 -> !sum
    %s = scf.for %t = %c0 to %steps step %c1 iter_args(%sum = %zero) -> (!sum) {
      %kk = arith.muli %t, %w : index
      %at = arith.addi %begin, %kk : index
      %x = tile.load %a[%row, %at] : !tile.view<?x?xf16> -> !left
      %y = tile.load %b[%at, %col] : !tile.view<?x?xf16> -> !right
      %d = tile.dot %x, %y, %sum : !left, !right -> !sum
      scf.yield %d : !sum
    }
    tile.view_reduce fadd, %s, %c[%row, %col] : !sum, !tile.view<?x?xf32>
  }
}
