// Axes renamed, tiles put together and taken apart, elements chosen by others.

tile.kernel @moves(%x: !tile.view<?x?xf16>, %n: !tile.view<?x?xi32>, %t: !tile.view<?x?xf16>, %r: !tile.view<?x?xf16>,
                   %j: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %g: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xf16>
  %k = tile.dim %x, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c32 : index
  %gk = arith.ceildivui %k, %c48 : index
  tile.parallel (%i, %l) to (%gm, %gk) {
    %row = arith.muli %i, %c32 : index
    %col = arith.muli %l, %c48 : index
    %v = tile.load %x[%row, %col] : !tile.view<?x?xf16> -> tensor<32x48xf16>

    %vt = tile.trans %v, [1, 0] : tensor<32x48xf16> -> tensor<48x32xf16>
    // Odd repetitions along both axes: registers get other numbers.
    %few = tile.reshape %vt : tensor<48x32xf16> -> tensor<6x8x32xf16>
    %perm = tile.trans %few, [2, 1, 0] : tensor<6x8x32xf16> -> tensor<32x8x6xf16>
    %twice = arith.addf %perm, %perm : tensor<32x8x6xf16>
    %back = tile.trans %twice, [2, 1, 0] : tensor<32x8x6xf16> -> tensor<6x8x32xf16>
    %tall = tile.reshape %back : tensor<6x8x32xf16> -> tensor<48x32xf16>
    %half = tile.cat %tall, %vt, 1 : tensor<48x32xf16>, tensor<48x32xf16> -> tensor<48x64xf16>
    %halft = tile.trans %half, [1, 0] : tensor<48x64xf16> -> tensor<64x48xf16>
    %pick = tile.reduce %halft axis 0 : tensor<64x48xf16> -> tensor<48xf16> combine (%p: f16, %q: f16) {
      %larger = arith.maximumf %p, %q : f16
      tile.yield %larger : f16
    }
    %pick2 = tile.expand_dims %pick, 1 : tensor<48xf16> -> tensor<48x1xf16>
    %picks = tile.broadcast %pick2 : tensor<48x1xf16> -> tensor<48x32xf16>
    %vtp = arith.addf %vt, %picks : tensor<48x32xf16>
    tile.store %vtp, %t[%col, %row] : tensor<48x32xf16>, !tile.view<?x?xf16>

    // 32 x 48 read as 16 x 96, and through three axes back.
    %w = tile.reshape %v : tensor<32x48xf16> -> tensor<16x96xf16>
    %w3 = tile.reshape %w : tensor<16x96xf16> -> tensor<4x8x48xf16>
    %w3t = tile.trans %w3, [1, 0, 2] : tensor<4x8x48xf16> -> tensor<8x4x48xf16>
    %wb = tile.reshape %w3t : tensor<8x4x48xf16> -> tensor<32x48xf16>
    tile.store %wb, %r[%row, %col] : tensor<32x48xf16>, !tile.view<?x?xf16>

    // Even columns in front of odd ones, then side by side again in reverse roles.
    %pairs = tile.reshape %v : tensor<32x48xf16> -> tensor<32x24x2xf16>
    %even, %odd = tile.split %pairs : tensor<32x24x2xf16> -> tensor<32x24xf16>
    %both = tile.cat %even, %odd, 1 : tensor<32x24xf16>, tensor<32x24xf16> -> tensor<32x48xf16>
    tile.store %both, %c[%row, %col] : tensor<32x48xf16>, !tile.view<?x?xf16>
    %swapped = tile.join %odd, %even : tensor<32x24xf16> -> tensor<32x24x2xf16>
    %flat = tile.reshape %swapped : tensor<32x24x2xf16> -> tensor<32x48xf16>
    tile.store %flat, %j[%row, %col] : tensor<32x48xf16>, !tile.view<?x?xf16>

    // Rows that the numbers of a view choose.
    %ns = tile.load %n[%row, %col] : !tile.view<?x?xi32> -> tensor<32x48xi32>
    %mask = arith.constant dense<31> : tensor<32x48xi32>
    %where = arith.andi %ns, %mask : tensor<32x48xi32>
    %taken = tile.take %v[%where], 0 : tensor<32x48xf16>, tensor<32x48xi32> -> tensor<32x48xf16>
    tile.store %taken, %g[%row, %col] : tensor<32x48xf16>, !tile.view<?x?xf16>
  }
}
