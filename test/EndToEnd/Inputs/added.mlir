// Sums of products that every iteration adds to memory.

!in = tensor<64x64xf16>
!sums = tensor<64x64xf32>

tile.kernel @sums(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %rows = tile.dim %a, 0 : !tile.view<?x?xf16>
  %depth = tile.dim %a, 1 : !tile.view<?x?xf16>
  %blocks = arith.ceildivui %rows, %c64 : index
  tile.parallel (%i) to (%blocks) {
    %row = arith.muli %i, %c64 : index
    %none = tile.splat %f0 : f32 -> !sums
    scf.for %k = %c0 to %depth step %c64 {
      %as = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> !in
      %bs = tile.load %b[%k, %c0] : !tile.view<?x?xf16> -> !in
      %part = tile.dot %as, %bs, %none : !in, !in -> !sums
      tile.view_reduce fadd, %part, %c[%row, %c0] : !sums, !tile.view<?x?xf32>
    }
  }
}
