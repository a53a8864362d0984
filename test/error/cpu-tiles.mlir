// Tiles that are read twice are in memory, and have to fit.
// RUN: %expect 3 heddle compile %s --emit=llvm -o %t.ll
// expect: 4:1: error: kernel @k has tiles of 16793984 bytes, and a worker has room for 16777216; take smaller tiles by --set [cpu-tiles]
tile.kernel @k(%x: !tile.view<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %t = tile.load %x[%i, %c0] : !tile.view<?x?xf64> -> tensor<1024x1024xf64>
    %u = arith.mulf %t, %t : tensor<1024x1024xf64>
    %v = arith.addf %u, %u : tensor<1024x1024xf64>
    tile.store %v, %x[%i, %c0] : tensor<1024x1024xf64>, !tile.view<?x?xf64>
  }
}
