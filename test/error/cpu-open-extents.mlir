// A kernel whose tiles have no parameters to fix their extents.
// RUN: %expect 2 heddle compile %s --emit=llvm -o %t.ll
// expect: 7:10: error: 'tile.load' makes a 'tensor<4x?xf32, #tile.shape<"", "BN">>'; on the CPU the extents of tiles are numbers [cpu-unsupported]
tile.kernel @k(%x: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %t = tile.load %x[%i, %c0] : !tile.view<?x?xf32> -> tensor<4x?xf32, #tile.shape<"", "BN">>
    tile.store %t, %x[%i, %c0] : tensor<4x?xf32, #tile.shape<"", "BN">>, !tile.view<?x?xf32>
  }
}
