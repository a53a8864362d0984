// Numbers that a loop hands on without making them: two that swap, one of the iteration before
// last, one that is another from the second iteration on, one handed on twice, and one that is read
// behind the loop.
tile.kernel @carried(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %eighth = arith.constant 0.125 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %rows = arith.ceildivui %m, %c64 : index
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %none = tile.splat %zero : f32 -> tensor<64x64xf32>
    %r:7 = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %none, %left = %half, %right = %two, %old = %one, %older = %half, %first = %two, %again = %one) -> (tensor<64x64xf32>, f32, f32, f32, f32, f32, f32) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %none : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %p = arith.mulf %left, %first : f32
      %q = arith.addf %p, %older : f32
      %w = arith.addf %q, %again : f32
      %scale = tile.splat %w : f32 -> tensor<64x64xf32>
      %scaled = arith.mulf %d, %scale : tensor<64x64xf32>
      %sum = arith.addf %s, %scaled : tensor<64x64xf32>
      %ki = arith.index_cast %kk : index to i32
      %kf = arith.sitofp %ki : i32 to f32
      %kx = arith.mulf %kf, %eighth : f32
      scf.yield %sum, %right, %left, %kx, %old, %half, %kx : tensor<64x64xf32>, f32, f32, f32, f32, f32, f32
    }
    %behind = arith.addf %r#1, %r#4 : f32
    %more = tile.splat %behind : f32 -> tensor<64x64xf32>
    %out = arith.addf %r#0, %more : tensor<64x64xf32>
    tile.store %out, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
