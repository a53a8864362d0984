// Two loads fill one slot, and the table's intervals begin between them. The
// process begins its steps elsewhere, so that a step fills a slot whole: what is
// carried half full could not be copied by the copy engine.
// RUN: heddle compile %s --emit=sched -o %t.mlir
// RUN: sed -e 's/\(entry "load_a" on "tma" start\) [0-9]*/\1 100/' -e 's/\(entry "load_b" on "tma" start\) [0-9]*/\1 300/' -e 's/\(entry "dot" on "tensor" start\) [0-9]*/\1 1500/' %t.mlir > %t.split.mlir
// RUN: heddle compile %t.split.mlir --emit=aref -o - | FileCheck %s

// CHECK: aref.process "load"
// CHECK: scf.for {{.*}} step %c64
// CHECK-NEXT: aref.acquire
// CHECK-NEXT: tile.load %a
// CHECK-NEXT: tile.load %b
// CHECK-NEXT: aref.publish
// CHECK-NEXT: scf.yield
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
