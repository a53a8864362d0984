// Rows of A times B, scaled by the sums of A's rows, which a loop of its own finds first.
!row = tensor<128xf32>
!wide = tensor<128x64xf32>
!acc = tensor<128x128xf32>
tile.kernel @sums_first(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %g = arith.ceildivui %m, %c128 : index
  tile.parallel (%i) to (%g) {
    %at = arith.muli %i, %c128 : index
    %none = tile.splat %f0 : f32 -> !row
    %sums = scf.for %kk = %c0 to %k step %c64 iter_args(%sum = %none) -> (!row) {
      %x = tile.load %a[%at, %kk] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %w = tile.cast %x : tensor<128x64xf16> -> !wide
      %here = tile.reduce %w axis 1 : !wide -> !row combine (%p: f32, %q: f32) {
        %s = arith.addf %p, %q : f32
        tile.yield %s : f32
      }
      %next = arith.addf %sum, %here : !row
      scf.yield %next : !row
    }
    %zero = tile.splat %f0 : f32 -> !acc
    %d = scf.for %kk = %c0 to %k step %c64 iter_args(%acc = %zero) -> (!acc) {
      %x = tile.load %a[%at, %kk] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x128xf16>
      %r = tile.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> !acc
      scf.yield %r : !acc
    }
    %column = tile.expand_dims %sums, 1 : !row -> tensor<128x1xf32>
    %all = tile.broadcast %column : tensor<128x1xf32> -> !acc
    %scaled = arith.mulf %d, %all : !acc
    tile.store %scaled, %c[%at, %c0] : !acc, !tile.view<?x?xf32>
  }
}
