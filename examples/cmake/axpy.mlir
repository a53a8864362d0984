// y += alpha x

!t = f16

tile.kernel @axpy(%alpha: f32, %x: !tile.view<?x!t>, %y: !tile.view<?x!t>) {
  %c1024 = arith.constant 1024 : index
  %n = tile.dim %x, 0 : !tile.view<?x!t>
  %blocks = arith.ceildivui %n, %c1024 : index
  %factor = tile.splat %alpha : f32 -> tensor<1024xf32>
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c1024 : index
    %x_in = tile.load %x[%at] : !tile.view<?x!t> -> tensor<1024x!t>
    %y_in = tile.load %y[%at] : !tile.view<?x!t> -> tensor<1024x!t>
    %xf = tile.cast %x_in : tensor<1024x!t> -> tensor<1024xf32>
    %yf = tile.cast %y_in : tensor<1024x!t> -> tensor<1024xf32>
    %product = arith.mulf %factor, %xf : tensor<1024xf32>
    %sum = arith.addf %product, %yf : tensor<1024xf32>
    %out = tile.cast %sum : tensor<1024xf32> -> tensor<1024x!t>
    tile.store %out, %y[%at] : tensor<1024x!t>, !tile.view<?x!t>
  }
}
