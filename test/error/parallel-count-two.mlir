// A kernel with two.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: kernel @k has 2 tile.parallel ops that write anything; it needs exactly one, at its top level [parallel-count]
tile.kernel @k(%c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
  tile.parallel (%j) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
