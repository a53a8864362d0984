// RUN: heddle compile %s --emit=aref -o - | FileCheck %s
// RUN: heddle run %s --view a=150x64x96 --view b=150x96x64 --view c=150x64x64

// A late store whose offset is the instance's own number, which is known from the
// beginning for the last instance, too. Some workers have two instances.

// CHECK: aref.process "mma
// CHECK:   %[[LAST:.*]] = scf.if %{{.*}} -> (index) {
// CHECK:     %[[SAFE:.*]] = arith.maxsi
// CHECK:     scf.yield %[[SAFE]]
// CHECK:   %[[ALL:.*]]:2 = scf.for
// CHECK: tile.store %[[ALL]]#0, %{{.*}}[%[[LAST]], %{{.*}}, %{{.*}}]
tile.kernel @k(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?x?xf16>, %c: !tile.view<?x?x?xf16>) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?x?xf16>
  %k = tile.dim %a, 2 : !tile.view<?x?x?xf16>
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %c0, %kk] : !tile.view<?x?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%i, %kk, %c0] : !tile.view<?x?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %o = tile.cast %acc : tensor<64x64xf32> -> tensor<64x64xf16>
    tile.store %o, %c[%i, %c0, %c0] : tensor<64x64xf16>, !tile.view<?x?x?xf16>
  }
}
