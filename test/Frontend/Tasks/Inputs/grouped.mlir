// Products with a matrix for each group of rows, for same-ptx.test: what examples/task/grouped_gemm.mlir says.

tile.param @V : {128, 256} = 128
tile.kernel @grouped_gemm(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?x?xf16>, %groups: !tile.ptr<i32>, %c: !tile.view<?x?xf16>) {
  %m = tile.dim %c, 0 : !tile.view<?x?xf16>
  %n = tile.dim %c, 1 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %u = arith.constant 128 : index
  %v = tile.param_value @V : index
  %c0 = arith.constant 0 : index
  %w = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %gm = arith.ceildivui %m, %u : index
  %gn = arith.ceildivui %n, %v : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %i32 = arith.index_cast %i : index to i32
    %p = tile.ptr_add %groups, %i32 : !tile.ptr<i32>, i32
    %g32 = tile.gather %p : !tile.ptr<i32> -> i32
    %g = arith.index_cast %g32 : i32 to index
    %row = arith.muli %i, %u : index
    %col = arith.muli %j, %v : index
    %zero = tile.splat %f0 : f32 -> tensor<128x?xf32, #tile.shape<"", "V">>
    %s = scf.for %kk = %c0 to %k step %w iter_args(%sum = %zero) -> (tensor<128x?xf32, #tile.shape<"", "V">>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %y1 = tile.load %b[%g, %kk, %col] : !tile.view<?x?x?xf16> -> tensor<1x64x?xf16, #tile.shape<"", "", "V">>
      %y = tile.reshape %y1 : tensor<1x64x?xf16, #tile.shape<"", "", "V">> -> tensor<64x?xf16, #tile.shape<"", "V">>
      %d = tile.dot %x, %y, %sum : tensor<128x64xf16>, tensor<64x?xf16, #tile.shape<"", "V">> -> tensor<128x?xf32, #tile.shape<"", "V">>
      scf.yield %d : tensor<128x?xf32, #tile.shape<"", "V">>
    }
    %o = tile.cast %s : tensor<128x?xf32, #tile.shape<"", "V">> -> tensor<128x?xf16, #tile.shape<"", "V">>
    tile.store %o, %c[%row, %col] : tensor<128x?xf16, #tile.shape<"", "V">>, !tile.view<?x?xf16>
  }
}
