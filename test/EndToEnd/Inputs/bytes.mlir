// All numbers of 8 bits, with a sign and without one, as f32, f16 and bf16.

!n = tensor<1x1024xi32>
!b = tensor<1x1024xi8>
!t = tensor<1x1024xf32>

tile.kernel @bytes(%y: !tile.view<6x1024xf32>, %n: index) {
  tile.parallel (%i) to (%n) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %iota = tile.iota : tensor<1024xi32>
    %row = tile.expand_dims %iota, 0 : tensor<1024xi32> -> !n
    %bytes = arith.trunci %row : !n to !b
    %s32 = arith.sitofp %bytes : !b to !t
    %u32 = arith.uitofp %bytes : !b to !t
    %s16 = arith.sitofp %bytes : !b to tensor<1x1024xf16>
    %u16 = arith.uitofp %bytes : !b to tensor<1x1024xf16>
    %sb = arith.sitofp %bytes : !b to tensor<1x1024xbf16>
    %ub = arith.uitofp %bytes : !b to tensor<1x1024xbf16>
    %s16w = arith.extf %s16 : tensor<1x1024xf16> to !t
    %u16w = arith.extf %u16 : tensor<1x1024xf16> to !t
    %sbw = arith.extf %sb : tensor<1x1024xbf16> to !t
    %ubw = arith.extf %ub : tensor<1x1024xbf16> to !t
    tile.store %s32, %y[%c0, %c0] : !t, !tile.view<6x1024xf32>
    tile.store %u32, %y[%c1, %c0] : !t, !tile.view<6x1024xf32>
    tile.store %s16w, %y[%c2, %c0] : !t, !tile.view<6x1024xf32>
    tile.store %u16w, %y[%c3, %c0] : !t, !tile.view<6x1024xf32>
    tile.store %sbw, %y[%c4, %c0] : !t, !tile.view<6x1024xf32>
    tile.store %ubw, %y[%c5, %c0] : !t, !tile.view<6x1024xf32>
  }
}
