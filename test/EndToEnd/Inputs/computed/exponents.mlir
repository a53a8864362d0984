// Operands of 32 bits, of which both are computed: exponentials and a mask.
tile.kernel @exponents(%a: !tile.view<?x?xf32>, %b: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf32>
  %k = tile.dim %a, 1 : !tile.view<?x?xf32>
  %n = tile.dim %b, 1 : !tile.view<?x?xf32>
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %none = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %sum = scf.for %kk = %c0 to %k step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf32> -> tensor<64x32xf32>
      %isPositive = arith.cmpf ogt, %x, %none : tensor<64x32xf32>
      %xs = arith.select %isPositive, %x, %none : tensor<64x32xi1>, tensor<64x32xf32>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf32> -> tensor<32x64xf32>
      %ys = math.exp2 %y : tensor<32x64xf32>
      %d = tile.dot %xs, %ys, %acc {tf32} : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
