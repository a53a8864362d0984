// Both halves of products, of tiles and by a constant.
tile.kernel @products(%a: !tile.view<?xi32>, %b: !tile.view<?xi32>, %y: !tile.view<?xi32>, %z: !tile.view<?xi32>) {
  %c256 = arith.constant 256 : index
  %n = tile.dim %a, 0 : !tile.view<?xi32>
  %count = arith.ceildivui %n, %c256 : index
  tile.parallel (%i) to (%count) {
    %at = arith.muli %i, %c256 : index
    %v = tile.load %a[%at] : !tile.view<?xi32> -> tensor<256xi32>
    %w = tile.load %b[%at] : !tile.view<?xi32> -> tensor<256xi32>
    %factor = arith.constant dense<-766435501> : tensor<256xi32>
    %low = arith.muli %w, %v : tensor<256xi32>
    %unused, %high = arith.mului_extended %v, %w : tensor<256xi32>
    %next = arith.addi %high, %v : tensor<256xi32>
    %unused2, %high2 = arith.mului_extended %next, %factor : tensor<256xi32>
    %low2 = arith.muli %next, %factor : tensor<256xi32>
    %s = arith.xori %low, %high2 : tensor<256xi32>
    tile.store %s, %y[%at] : tensor<256xi32>, !tile.view<?xi32>
    tile.store %low2, %z[%at] : tensor<256xi32>, !tile.view<?xi32>
  }
}
