// Numbers of 8 bits from 128 on are negative, so what is left of them does not go on where a multiple of the
// divisor lies: -96 leaves 0 and -95 leaves -95.
!places = tensor<256x!tile.ptr<f32>>
tile.kernel @small_numbers(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %count: index) {
  %divisor = arith.constant dense<96> : tensor<256xi8>
  %middle = arith.constant dense<128> : tensor<256xi32>
  tile.parallel (%i) to (%count) {
    %number = tile.iota : tensor<256xi8>
    %left = arith.remsi %number, %divisor : tensor<256xi8>
    %wide = arith.extsi %left : tensor<256xi8> to tensor<256xi32>
    %place = arith.addi %wide, %middle : tensor<256xi32>
    %from = tile.splat %x : !tile.ptr<f32> -> !places
    %source = tile.ptr_add %from, %place : !places, tensor<256xi32>
    %value = tile.gather %source : !places -> tensor<256xf32>
    %to = tile.splat %y : !tile.ptr<f32> -> !places
    %row = tile.iota : tensor<256xi32>
    %target = tile.ptr_add %to, %row : !places, tensor<256xi32>
    tile.scatter %value, %target : tensor<256xf32>, !places
  }
}
