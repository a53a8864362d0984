// Which products there are.
// RUN: %expect 2 heddle run %s --device=cpu --view a=16x16 --view b=16x16 --view c=16x16
// expect: 12:10: error: 'tile.dot' has no lowering to the CPU yet of elements of type 'f8E4M3FN' into 'f32' [cpu-unsupported]
tile.kernel @k(%a: !tile.view<?x?xf8E4M3FN>, %b: !tile.view<?x?xf8E4M3FN>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%c1) {
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf8E4M3FN> -> tensor<16x16xf8E4M3FN>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf8E4M3FN> -> tensor<16x16xf8E4M3FN>
    %zero = tile.splat %f0 : f32 -> tensor<16x16xf32>
    %d = tile.dot %x, %y, %zero : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
    tile.store %d, %c[%i, %c0] : tensor<16x16xf32>, !tile.view<?x?xf32>
  }
}
