// RUN: heddle-opt %s --tile-distribute | FileCheck %s --check-prefixes=CHECK,BAND
// RUN: heddle-opt %s --tile-distribute=group=1 | FileCheck %s --check-prefixes=CHECK,ROWS

// CHECK-LABEL: tile.kernel @plane
// CHECK: %[[N:.*]] = arith.muli {{.*}} {tile.instances} : index
// CHECK: %[[ID:.*]] = tile.worker_id
// CHECK: %[[COUNT:.*]] = tile.worker_count
// CHECK: scf.for %[[T:.*]] = %[[ID]] to %[[N]] step %[[COUNT]]
// BAND: arith.constant 16
// ROWS: %[[J:.*]] = arith.remui %[[T]], %{{.*}}
// ROWS: %[[I:.*]] = arith.divui %[[T]], %{{.*}}
// ROWS: tile.load %a[%[[I]], %[[J]]]
// CHECK: } {sched.loop = "tiles"}
// CHECK-NOT: tile.parallel
tile.kernel @plane(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>, %m: index, %n: index) {
  tile.parallel (%i, %j) to (%m, %n) {
    %x = tile.load %a[%i, %j] : !tile.view<?x?xf16> -> tensor<16x16xf16>
    tile.store %x, %c[%i, %j] : tensor<16x16xf16>, !tile.view<?x?xf16>
  }
}
