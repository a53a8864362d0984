// All numbers of 8 bits, with a sign and without one, as f32, f16 and bf16; their bits moved,
// and combined with those of another number and of a constant.

!n = tensor<1x1024xi32>
!b = tensor<1x1024xi8>
!t = tensor<1x1024xf32>

tile.kernel @bytes(%y: !tile.view<16x1024xf32>, %n: index) {
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
    %three_s = arith.constant 3 : i8
    %most_s = arith.constant 7 : i8
    %some_s = arith.constant -86 : i8
    %three = tile.splat %three_s : i8 -> !b
    %most = tile.splat %most_s : i8 -> !b
    %some = tile.splat %some_s : i8 -> !b
    %far_s = arith.constant 8 : i8
    %far = tile.splat %far_s : i8 -> !b
    %shl = arith.shli %bytes, %three : !b
    %shru = arith.shrui %bytes, %three : !b
    %shrs = arith.shrsi %bytes, %three : !b
    %shrs7 = arith.shrsi %bytes, %most : !b
    %shr8 = arith.shrsi %bytes, %far : !b
    %shv = arith.shrui %some, %bytes : !b
    %and = arith.andi %bytes, %some : !b
    %or = arith.ori %bytes, %some : !b
    %xor = arith.xori %shl, %shrs : !b
    %sum = arith.addi %xor, %and : !b
    %o0 = arith.sitofp %shl : !b to !t
    %p0 = arith.constant 6 : index
    tile.store %o0, %y[%p0, %c0] : !t, !tile.view<16x1024xf32>
    %o1 = arith.sitofp %shru : !b to !t
    %p1 = arith.constant 7 : index
    tile.store %o1, %y[%p1, %c0] : !t, !tile.view<16x1024xf32>
    %o2 = arith.sitofp %shrs : !b to !t
    %p2 = arith.constant 8 : index
    tile.store %o2, %y[%p2, %c0] : !t, !tile.view<16x1024xf32>
    %o3 = arith.sitofp %shrs7 : !b to !t
    %p3 = arith.constant 9 : index
    tile.store %o3, %y[%p3, %c0] : !t, !tile.view<16x1024xf32>
    %o4 = arith.sitofp %shr8 : !b to !t
    %p4 = arith.constant 10 : index
    tile.store %o4, %y[%p4, %c0] : !t, !tile.view<16x1024xf32>
    %o5 = arith.sitofp %shv : !b to !t
    %p5 = arith.constant 11 : index
    tile.store %o5, %y[%p5, %c0] : !t, !tile.view<16x1024xf32>
    %o6 = arith.sitofp %and : !b to !t
    %p6 = arith.constant 12 : index
    tile.store %o6, %y[%p6, %c0] : !t, !tile.view<16x1024xf32>
    %o7 = arith.sitofp %or : !b to !t
    %p7 = arith.constant 13 : index
    tile.store %o7, %y[%p7, %c0] : !t, !tile.view<16x1024xf32>
    %o8 = arith.sitofp %xor : !b to !t
    %p8 = arith.constant 14 : index
    tile.store %o8, %y[%p8, %c0] : !t, !tile.view<16x1024xf32>
    %o9 = arith.sitofp %sum : !b to !t
    %p9 = arith.constant 15 : index
    tile.store %o9, %y[%p9, %c0] : !t, !tile.view<16x1024xf32>
    tile.store %s32, %y[%c0, %c0] : !t, !tile.view<16x1024xf32>
    tile.store %u32, %y[%c1, %c0] : !t, !tile.view<16x1024xf32>
    tile.store %s16w, %y[%c2, %c0] : !t, !tile.view<16x1024xf32>
    tile.store %u16w, %y[%c3, %c0] : !t, !tile.view<16x1024xf32>
    tile.store %sbw, %y[%c4, %c0] : !t, !tile.view<16x1024xf32>
    tile.store %ubw, %y[%c5, %c0] : !t, !tile.view<16x1024xf32>
  }
}
