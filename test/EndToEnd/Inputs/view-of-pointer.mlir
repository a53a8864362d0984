// Y = 2 X, where a launch makes the view of X.
!v = !tile.view<?x?xf32>
!t = tensor<16x64xf32>
tile.kernel @doubled(%x: !tile.ptr<f32>, %y: !v) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = tile.dim %y, 0 : !v
  %n = tile.dim %y, 1 : !v
  %g = arith.ceildivui %m, %c16 : index
  %made = tile.make_view %x, [%m, %n], [%n, %c1] : !tile.ptr<f32> -> !v
  tile.parallel (%i) to (%g) {
    %row = arith.muli %i, %c16 : index
    %a = tile.load %made[%row, %c0] : !v -> !t
    %b = arith.addf %a, %a : !t
    tile.store %b, %y[%row, %c0] : !t, !v
  }
}
