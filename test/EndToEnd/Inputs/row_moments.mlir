// Sum, maximum and, in f64, the sum of squares of each row; and of the first 32
// rows' maxima the least, which is a scalar.

tile.kernel @row_moments(%x: !tile.view<?x?xf16>, %sum: !tile.view<?xf32>, %largest: !tile.view<?xf16>,
                         %squares: !tile.view<?xf64>, %least: !tile.view<?xf16>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xf16>
  %blocks = arith.ceildivui %m, %c32 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c32 : index
    %t = tile.load %x[%row, %c0] : !tile.view<?x?xf16> -> tensor<32x80xf16>
    %w = tile.cast %t : tensor<32x80xf16> -> tensor<32x80xf32>
    %s = tile.reduce %w axis 1 : tensor<32x80xf32> -> tensor<32xf32> combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %s, %sum[%row] : tensor<32xf32>, !tile.view<?xf32>
    %l = tile.reduce %t axis 1 : tensor<32x80xf16> -> tensor<32xf16> combine (%a: f16, %b: f16) {
      %larger = arith.maximumf %a, %b : f16
      tile.yield %larger : f16
    }
    tile.store %l, %largest[%row] : tensor<32xf16>, !tile.view<?xf16>
    %d = tile.cast %t : tensor<32x80xf16> -> tensor<32x80xf64>
    %q = arith.mulf %d, %d : tensor<32x80xf64>
    %n = tile.reduce %q axis 1 : tensor<32x80xf64> -> tensor<32xf64> combine (%a: f64, %b: f64) {
      %both = arith.addf %a, %b : f64
      tile.yield %both : f64
    }
    tile.store %n, %squares[%row] : tensor<32xf64>, !tile.view<?xf64>
    %r = tile.reduce %l axis 0 : tensor<32xf16> -> f16 combine (%a: f16, %b: f16) {
      %less = arith.minimumf %a, %b : f16
      tile.yield %less : f16
    }
    %one = tile.splat %r : f16 -> tensor<1xf16>
    tile.store %one, %least[%i] : tensor<1xf16>, !tile.view<?xf16>
  }
}
