// TMA adds tiles of f32; threads add the rest, which gives the same result.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 22:7: remark: threads add this tile, an element at a time: only sums of f32 go through TMA, this is fadd of a tile of f16 [reduction-not-tma]
!in = tensor<64x64xf16>
!sums = tensor<64x64xf32>

tile.kernel @sums(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>) {
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
      %narrow = tile.cast %part : !sums -> !in
      tile.view_reduce fadd, %narrow, %c[%row, %c0] : !in, !tile.view<?x?xf16>
    }
  }
}
