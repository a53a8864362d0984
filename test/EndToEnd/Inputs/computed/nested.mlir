// Two nested loops, of which the pipeline makes one: who computes an operand
// divides the number of an iteration by the iterations of the inner loop.
tile.kernel @nested(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %h0 = arith.constant 0.0 : f16
  %taps = tile.dim %a, 0 : !tile.view<?x?x?xf16>
  %m = tile.dim %a, 1 : !tile.view<?x?x?xf16>
  %k = tile.dim %a, 2 : !tile.view<?x?x?xf16>
  %n = tile.dim %b, 2 : !tile.view<?x?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %none = tile.splat %h0 : f16 -> tensor<64x32xf16>
    %end = arith.index_cast %k : index to i32
    %ends = tile.splat %end : i32 -> tensor<1x32xi32>
    %sum = scf.for %tap = %c0 to %taps step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %inner = scf.for %kk = %c0 to %k step %c32 iter_args(%t = %s) -> (tensor<64x64xf32>) {
        %x = tile.load %a[%tap, %row, %kk] : !tile.view<?x?x?xf16> -> tensor<64x32xf16>
        %wide = tile.cast %x : tensor<64x32xf16> -> tensor<64x32xf32>
        %power = math.exp2 %wide : tensor<64x32xf32>
        %narrow = tile.cast %power : tensor<64x32xf32> -> tensor<64x32xf16>
        %number = arith.index_cast %kk : index to i32
        %first = tile.splat %number : i32 -> tensor<32xi32>
        %count = tile.iota : tensor<32xi32>
        %place = arith.addi %first, %count : tensor<32xi32>
        %places = tile.expand_dims %place, 0 : tensor<32xi32> -> tensor<1x32xi32>
        %isIn = arith.cmpi slt, %places, %ends : tensor<1x32xi32>
        %isInRows = tile.broadcast %isIn : tensor<1x32xi1> -> tensor<64x32xi1>
        %xs = arith.select %isInRows, %narrow, %none : tensor<64x32xi1>, tensor<64x32xf16>
        %y = tile.load %b[%tap, %kk, %col] : !tile.view<?x?x?xf16> -> tensor<32x64xf16>
        %d = tile.dot %xs, %y, %t : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      scf.yield %inner : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
