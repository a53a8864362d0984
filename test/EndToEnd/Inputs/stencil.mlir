// Five points: y[i, j] is the sum of an element and its four neighbours, less four
// times itself; what lies outside is zero.
!row = tensor<64xf32>
tile.kernel @laplace(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %n = tile.dim %x, 0 : !tile.view<?x?xf32>
  %m = tile.dim %x, 1 : !tile.view<?x?xf32>
  %rows = tile.window %x axis 0 extent %n, window 0 extent %c3, low %c1
    : !tile.view<?x?xf32> -> !tile.view<3x?x?xf32>
  %w = tile.window %rows axis 2 extent %m, window 1 extent %c3, low %c1
    : !tile.view<3x?x?xf32>
      -> !tile.view<3x3x?x?xf32, #tile.order<3, 1, 2, 0>>
  %gm = arith.ceildivui %m, %c64 : index
  tile.parallel (%i, %j) to (%n, %gm) {
    %at = arith.muli %j, %c64 : index
    %up = tile.load %w[%c0, %c1, %i, %at] : !tile.view<3x3x?x?xf32, #tile.order<3, 1, 2, 0>> -> !row
    %left = tile.load %w[%c1, %c0, %i, %at] : !tile.view<3x3x?x?xf32, #tile.order<3, 1, 2, 0>> -> !row
    %own = tile.load %w[%c1, %c1, %i, %at] : !tile.view<3x3x?x?xf32, #tile.order<3, 1, 2, 0>> -> !row
    %right = tile.load %w[%c1, %c2, %i, %at] : !tile.view<3x3x?x?xf32, #tile.order<3, 1, 2, 0>> -> !row
    %down = tile.load %w[%c2, %c1, %i, %at] : !tile.view<3x3x?x?xf32, #tile.order<3, 1, 2, 0>> -> !row
    %a = arith.addf %up, %down : !row
    %b = arith.addf %left, %right : !row
    %sum = arith.addf %a, %b : !row
    %f4 = arith.constant 4.0 : f32
    %four = tile.splat %f4 : f32 -> !row
    %times = arith.mulf %own, %four : !row
    %d = arith.subf %sum, %times : !row
    tile.store %d, %y[%i, %at] : !row, !tile.view<?x?xf32>
  }
}
