// A product with weights of 4 bits: two of neighbouring k share a byte, and bytes of a column
// lie in a row, so that threads turn 16 bytes of a slot into 32 numbers of another.
!pairs = tensor<32x64xi8>
!bytes = tensor<64x64xi8>
!numbers = tensor<64x64xi32>
!weights = tensor<64x64xf16>
!sums = tensor<64x64xf32>
tile.kernel @packed_weights(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xi8, #tile.order<0, 1>>,
                            %y: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant dense<15> : !numbers
  %two = arith.constant dense<2> : tensor<64x1xi32>
  %four = arith.constant dense<4> : tensor<64x1xi32>
  %m = tile.dim %y, 0 : !tile.view<?x?xf32>
  %n = tile.dim %y, 1 : !tile.view<?x?xf32>
  %k = tile.dim %x, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %inner = tile.iota : tensor<64xi32>
    %tall = tile.expand_dims %inner, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %odd = arith.remsi %tall, %two : tensor<64x1xi32>
    %bits = arith.muli %odd, %four : tensor<64x1xi32>
    %shift = tile.broadcast %bits : tensor<64x1xi32> -> !numbers
    %zero = tile.splat %f0 : f32 -> !sums
    %sum = scf.for %kk = %c0 to %k step %c64 iter_args(%acc = %zero) -> (!sums) {
      %a = tile.load %x[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %half = arith.divui %kk, %c2 : index
      %p = tile.load %w[%half, %column] : !tile.view<?x?xi8, #tile.order<0, 1>> -> !pairs
      %e = tile.expand_dims %p, 1 : !pairs -> tensor<32x1x64xi8>
      %b = tile.broadcast %e : tensor<32x1x64xi8> -> tensor<32x2x64xi8>
      %r = tile.reshape %b : tensor<32x2x64xi8> -> !bytes
      %wide = arith.extui %r : !bytes to !numbers
      %moved = arith.shrui %wide, %shift : !numbers
      %four_bits = arith.andi %moved, %low : !numbers
      %weights = arith.sitofp %four_bits : !numbers to !weights
      %d = tile.dot %a, %weights, %acc : tensor<64x64xf16>, !weights -> !sums
      scf.yield %d : !sums
    }
    tile.store %sum, %y[%row, %column] : !sums, !tile.view<?x?xf32>
  }
}
