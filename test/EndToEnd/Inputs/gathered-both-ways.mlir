// A product of tf32 whose operands are rows that memory names, along the sum and across it.
tile.kernel @both_ways(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.view<?x?xf32>, %ids: !tile.view<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  tile.parallel (%w) to (%c1) {
  %any = tile.load %ids[%c0] : !tile.view<?xi32> -> tensor<64xi32>
  %c64 = arith.constant 64 : i32
  %count = tile.splat %c64 : i32 -> tensor<64xi32>
  %id = arith.remui %any, %count : tensor<64xi32>
  %begin = arith.muli %id, %count : tensor<64xi32>
  %column = tile.expand_dims %begin, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %iota = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %base_a = tile.splat %a : !tile.ptr<f32> -> tensor<64x1x!tile.ptr<f32>>
    %starts_a = tile.ptr_add %base_a, %column : tensor<64x1x!tile.ptr<f32>>, tensor<64x1xi32>
    %all_a = tile.broadcast %starts_a : tensor<64x1x!tile.ptr<f32>> -> tensor<64x64x!tile.ptr<f32>>
    %at_a = tile.ptr_add %all_a, %columns : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %x = tile.gather %at_a : tensor<64x64x!tile.ptr<f32>> -> tensor<64x64xf32>
    %base_b = tile.splat %b : !tile.ptr<f32> -> tensor<64x1x!tile.ptr<f32>>
    %starts_b = tile.ptr_add %base_b, %column : tensor<64x1x!tile.ptr<f32>>, tensor<64x1xi32>
    %all_b = tile.broadcast %starts_b : tensor<64x1x!tile.ptr<f32>> -> tensor<64x64x!tile.ptr<f32>>
    %at_b = tile.ptr_add %all_b, %columns : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %y = tile.gather %at_b : tensor<64x64x!tile.ptr<f32>> -> tensor<64x64xf32>
    %d = tile.dot %x, %y, %s {tf32} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
