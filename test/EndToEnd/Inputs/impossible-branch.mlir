// The inner branch is never taken: after optimisation its barriers are gone. The sum
// behind it needs barriers, too.
tile.kernel @impossible_branch(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xf32>
  %n = tile.dim %y, 1 : !tile.view<?x?xf32>
  tile.parallel (%i, %j) to (%m, %n) {
    %t = tile.load %x[%i, %c0] : !tile.view<?x?xf32> -> tensor<1x1024xf32>
    %first = arith.cmpi slt, %j, %c1 : index
    scf.if %first {
      %zero = arith.constant dense<0.0> : tensor<1xf32>
      tile.store %zero, %y[%i, %j] : tensor<1xf32>, !tile.view<?x?xf32>
    } else {
      %later = arith.cmpi slt, %j, %c1 : index
      scf.if %later {
        %twice = arith.addf %t, %t : tensor<1x1024xf32>
        %sum = tile.reduce %twice axis 1 : tensor<1x1024xf32> -> tensor<1xf32> combine (%a: f32, %b: f32) {
          %both = arith.addf %a, %b : f32
          tile.yield %both : f32
        }
        tile.store %sum, %y[%i, %j] : tensor<1xf32>, !tile.view<?x?xf32>
      }
    }
    %sum = tile.reduce %t axis 1 : tensor<1x1024xf32> -> tensor<1xf32> combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %sum, %y[%i, %j] : tensor<1xf32>, !tile.view<?x?xf32>
  }
}
