// The largest of each 3 x 3 window at distances of 2, by channel: pixels are merged,
// so a tile goes on from row to row and from image to image. Inputs are not negative,
// so that the zeros outside lose.
!tile = tensor<32x64xf32>
tile.kernel @pool(%x: !tile.view<?x?x?x?xf32>, %y: !tile.view<?x?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %p = tile.dim %y, 1 : !tile.view<?x?x?x?xf32>
  %q = tile.dim %y, 2 : !tile.view<?x?x?x?xf32>
  %c = tile.dim %y, 3 : !tile.view<?x?x?x?xf32>
  %rows = tile.window %x axis 1 extent %p, window 0 extent %c3, low %c1 {stride = 2}
    : !tile.view<?x?x?x?xf32> -> !tile.view<3x?x?x?x?xf32, #tile.order<4, 3, 2, 0, 1>>
  %windows = tile.window %rows axis 3 extent %q, window 1 extent %c3, low %c1 {stride = 2}
    : !tile.view<3x?x?x?x?xf32, #tile.order<4, 3, 2, 0, 1>>
      -> !tile.view<3x3x?x?x?x?xf32, #tile.order<5, 4, 1, 3, 0, 2>>
  %a = tile.merge %windows axes 2 to 4
    : !tile.view<3x3x?x?x?x?xf32, #tile.order<5, 4, 1, 3, 0, 2>> -> !tile.view<3x3x?x?xf32>
  %out = tile.merge %y axes 0 to 2 : !tile.view<?x?x?x?xf32> -> !tile.view<?x?xf32>
  %m = tile.dim %out, 0 : !tile.view<?x?xf32>
  %gm = arith.ceildivui %m, %c32 : index
  tile.parallel (%i) to (%gm) {
    %row = arith.muli %i, %c32 : index
    scf.for %col = %c0 to %c step %c64 {
      %zero = tile.splat %f0 : f32 -> !tile
      %most = scf.for %r = %c0 to %c3 step %c1 iter_args(%m0 = %zero) -> (!tile) {
        %inner = scf.for %s = %c0 to %c3 step %c1 iter_args(%m1 = %m0) -> (!tile) {
          %t = tile.load %a[%r, %s, %row, %col] : !tile.view<3x3x?x?xf32> -> !tile
          %next = arith.maximumf %m1, %t : !tile
          scf.yield %next : !tile
        }
        scf.yield %inner : !tile
      }
      tile.store %most, %out[%row, %col] : !tile, !tile.view<?x?xf32>
    }
  }
}
