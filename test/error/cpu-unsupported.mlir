// What has no lowering to the CPU is named.
// RUN: %expect 2 heddle compile %s --emit=llvm -o %t.ll
// expect: 8:10: error: 'tile.scan' has no lowering to the CPU yet [cpu-unsupported]
tile.kernel @k(%x: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %t = tile.load %x[%i, %c0] : !tile.view<?x?xf32> -> tensor<4x16xf32>
    %s = tile.scan %t axis 1 : tensor<4x16xf32> -> tensor<4x16xf32> combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %s, %x[%i, %c0] : tensor<4x16xf32>, !tile.view<?x?xf32>
  }
}
