// Each row begins where what is left of 160 by its own divisor says, which is no multiple of anything.
!n = tensor<16x64xi32>
tile.kernel @remainders(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %count: index) {
  %c17 = arith.constant 64 : i32
  %c32 = arith.constant dense<160> : tensor<16xi32>
  %c64 = arith.constant dense<64> : tensor<16x1xi32>
  tile.parallel (%i) to (%count) {
    %r = tile.iota : tensor<16xi32>
    %m0 = tile.splat %c17 : i32 -> tensor<16xi32>
    %m = arith.addi %r, %m0 : tensor<16xi32>
    %rest = arith.remui %c32, %m : tensor<16xi32>
    %rest2 = tile.expand_dims %rest, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %rest3 = tile.broadcast %rest2 : tensor<16x1xi32> -> !n
    %c = tile.iota : tensor<64xi32>
    %c1 = tile.expand_dims %c, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %c2 = tile.broadcast %c1 : tensor<1x64xi32> -> !n
    %at = arith.addi %rest3, %c2 : !n
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x64x!tile.ptr<f32>>
    %p = tile.ptr_add %xs, %at : tensor<16x64x!tile.ptr<f32>>, !n
    %v = tile.gather %p : tensor<16x64x!tile.ptr<f32>> -> tensor<16x64xf32>
    %r2 = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %rr = arith.muli %r2, %c64 : tensor<16x1xi32>
    %r3 = tile.broadcast %rr : tensor<16x1xi32> -> !n
    %to = arith.addi %r3, %c2 : !n
    %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x64x!tile.ptr<f32>>
    %q = tile.ptr_add %ys, %to : tensor<16x64x!tile.ptr<f32>>, !n
    tile.scatter %v, %q : tensor<16x64xf32>, tensor<16x64x!tile.ptr<f32>>
  }
}
