// RUN: heddle compile %s --emit=sched -o - | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: heddle compile %s -o %t/k.ptx --certificates=%t
// RUN: heddle check --certificate=%t/stored_each.cert.json | FileCheck %s --check-prefix=CHECKED
// Two processes store what four sub-tiles compute, all in the pipelined loop. A plan that is read
// again is judged by the memory that these two store through, not by that of four processes: one
// of the five slots would be too many then.

// CHECK: sched.ring "loads" depth 5
// CHECK: sched.entry "store_c.0" on "alu" {{.*}} in "mma.0"
// CHECK: sched.entry "store_c.3" on "alu" {{.*}} in "mma.1"
// CHECKED: @stored_each, loop loop: certified
tile.kernel @stored_each(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %g = arith.ceildivui %m, %c256 : index
  tile.parallel (%i) to (%g) {
    %row = arith.muli %i, %c256 : index
    %zero = tile.splat %f0 : f32 -> tensor<256x8xf32>
    scf.for %k = %c0 to %n step %c1 {
      %kk = arith.muli %k, %c64 : index
      %to = arith.muli %k, %c8 : index
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<256x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x8xf16>
      %d = tile.dot %x, %y, %zero : tensor<256x64xf16>, tensor<64x8xf16> -> tensor<256x8xf32>
      tile.store %d, %c[%row, %to] : tensor<256x8xf32>, !tile.view<?x?xf32>
    }
  }
}
