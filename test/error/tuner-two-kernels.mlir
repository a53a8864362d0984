// RUN: %expect 3 heddle tune %s --device=model
// expect: heddle: error: one kernel is tuned at a time, and tuner-two-kernels.mlir has 2 [tuner-kernel]

tile.param @B : {16, 32} = 16
tile.kernel @one(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %b = tile.param_value @B : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %g = arith.ceildivui %n, %b : index
  tile.parallel (%i) to (%g) {
    %at = arith.muli %i, %b : index
    %t = tile.load %x[%at] : !tile.view<?xf32> -> tensor<?xf32, #tile.shape<"B">>
    tile.store %t, %y[%at] : tensor<?xf32, #tile.shape<"B">>, !tile.view<?xf32>
  }
}
tile.kernel @two(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %b = tile.param_value @B : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %g = arith.ceildivui %n, %b : index
  tile.parallel (%i) to (%g) {
    %at = arith.muli %i, %b : index
    %t = tile.load %x[%at] : !tile.view<?xf32> -> tensor<?xf32, #tile.shape<"B">>
    tile.store %t, %y[%at] : tensor<?xf32, #tile.shape<"B">>, !tile.view<?xf32>
  }
}
