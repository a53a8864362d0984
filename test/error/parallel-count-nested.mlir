// tile.parallel inside a loop.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: kernel @k has 1 tile.parallel ops that write anything; it needs exactly one, at its top level [parallel-count]
tile.kernel @k(%c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
  tile.parallel (%i) to (%n) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
  }
}
