// RUN: heddle explain %s --problem=- --schedule=heuristic | FileCheck %s
// RUN: heddle explain %s | FileCheck %s --check-prefix=TABLE

// A sum that several products of an iteration add to lies in the same registers, which are counted once, for the
// last of them. A sum of one iteration alone is not carried, and counts where it is.

// TABLE: Registers held at the most: mma.0 192 of 232

tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc:2 = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero, %t = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %a[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      // CHECK: "name": "dot"
      // CHECK: "registers": 0,
      // CHECK: "persists": false
      // CHECK: "name": "dot_2"
      // CHECK: "registers": 0,
      // CHECK: "name": "dot_3"
      // CHECK: "registers": 32,
      // CHECK: "persists": true
      %d1 = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %d2 = tile.dot %y, %x, %d1 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %d3 = tile.dot %x, %x, %d2 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      // CHECK: "name": "dot_4"
      // CHECK: "registers": 32,
      // CHECK: "name": "dot_5"
      // CHECK: "registers": 32,
      %e1 = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %e2 = tile.dot %y, %y, %e1 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %both = arith.addf %t, %e2 : tensor<64x64xf32>
      scf.yield %d3, %both : tensor<64x64xf32>, tensor<64x64xf32>
    }
    tile.store %acc#0, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    tile.store %acc#1, %c[%i, %bk] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
