// Repetitions along both axes: a transposed tile numbers its registers otherwise.

tile.kernel @trans_repeated(%x: !tile.view<?x?xi32>, %y: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %v = tile.load %x[%c0, %c0] : !tile.view<?x?xi32> -> tensor<6x10xi32>
    %m1 = tile.trans %v, [1, 0] : tensor<6x10xi32> -> tensor<10x6xi32>
    %m2 = tile.reshape %m1 : tensor<10x6xi32> -> tensor<1x1x2x30xi32>
    %z = tile.reshape %m2 : tensor<1x1x2x30xi32> -> tensor<60xi32>
    tile.store %z, %y[%c0] : tensor<60xi32>, !tile.view<?xi32>
  }
}
