// y[i] = x[7 i mod n], and 3 where 7 i mod n is a multiple of 5, through pointers.
tile.kernel @gather(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %n: i32) {
  %c256 = arith.constant 256 : index
  %seven = arith.constant 7 : i32
  %five = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %three = arith.constant 3.0 : f16
  %count = arith.index_cast %n : i32 to index
  %blocks = arith.ceildivui %count, %c256 : index
  tile.parallel (%i) to (%blocks) {
    %first = arith.muli %i, %c256 : index
    %first_i32 = arith.index_cast %first : index to i32
    %start = tile.splat %first_i32 : i32 -> tensor<256xi32>
    %iota = tile.iota : tensor<256xi32>
    %places = arith.addi %start, %iota : tensor<256xi32>
    %ends = tile.splat %n : i32 -> tensor<256xi32>
    %exists = arith.cmpi slt, %places, %ends : tensor<256xi32>
    %sevens = tile.splat %seven : i32 -> tensor<256xi32>
    %far = arith.muli %places, %sevens : tensor<256xi32>
    %from = arith.remui %far, %ends : tensor<256xi32>
    %fives = tile.splat %five : i32 -> tensor<256xi32>
    %zeros = tile.splat %zero : i32 -> tensor<256xi32>
    %rest = arith.remui %from, %fives : tensor<256xi32>
    %taken = arith.cmpi ne, %rest, %zeros : tensor<256xi32>
    %read = arith.andi %exists, %taken : tensor<256xi1>
    %other = tile.splat %three : f16 -> tensor<256xf16>
    %xs = tile.splat %x : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>>
    %ys = tile.splat %y : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>>
    %p = tile.ptr_add %xs, %from : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
    %q = tile.ptr_add %ys, %places : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
    %v = tile.gather %p mask %read : tensor<256xi1> other %other : tensor<256xf16>
      : tensor<256x!tile.ptr<f16>> -> tensor<256xf16>
    tile.scatter %v, %q mask %exists : tensor<256xi1> : tensor<256xf16>, tensor<256x!tile.ptr<f16>>
  }
}
