// The inner branch is never taken, which LLVM finds out and heddle does not. The sum in
// it needs barriers, and so does the one behind it.
tile.kernel @impossible_branch(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xf32>
  tile.parallel (%i) to (%m) {
    %t = tile.load %x[%i, %c0] : !tile.view<?x?xf32> -> tensor<1x1024xf32>
    %first = arith.cmpi slt, %i, %c1 : index
    scf.if %first {
      %later = arith.cmpi ne, %i, %c0 : index
      scf.if %later {
        %twice = arith.addf %t, %t : tensor<1x1024xf32>
        %sum = tile.reduce %twice axis 1 : tensor<1x1024xf32> -> tensor<1xf32> combine (%a: f32, %b: f32) {
          %both = arith.addf %a, %b : f32
          tile.yield %both : f32
        }
        tile.store %sum, %y[%i] : tensor<1xf32>, !tile.view<?xf32>
      }
    }
    %sum = tile.reduce %t axis 1 : tensor<1x1024xf32> -> tensor<1xf32> combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %sum, %y[%i] : tensor<1xf32>, !tile.view<?xf32>
  }
}
