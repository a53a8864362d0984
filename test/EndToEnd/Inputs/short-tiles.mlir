// C = A . B by tiles of 64 x 64 x 32. A is rows x depth, B is stored as columns x
// depth, and depth is given by its number of elements.
tile.kernel @short(%ap: !tile.ptr<f16>, %bp: !tile.ptr<f16>, %c: !tile.view<?x?xf32>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %c, 0 : !tile.view<?x?xf32>
  %n = tile.dim %c, 1 : !tile.view<?x?xf32>
  %depth = arith.index_cast %k : i32 to index
  %a = tile.make_view %ap, [%m, %depth], [%depth, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  %b = tile.make_view %bp, [%n, %depth], [%depth, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %up = arith.addi %k, %c31 : i32
    %count = arith.divsi %up, %c32 : i32
    %end = arith.index_cast %count : i32 to index
    %sum = scf.for %step = %c0 to %end step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %number = arith.index_cast %step : index to i32
      %place = arith.muli %number, %c32 : i32
      %kk = arith.index_cast %place : i32 to index
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %y = tile.load %b[%col, %kk] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %yt = tile.trans %y, [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %x, %yt, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
