// RUN: heddle-opt %s --tile-distribute | FileCheck %s --check-prefixes=CHECK,BAND
// RUN: heddle-opt %s --tile-distribute=group=1 | FileCheck %s --check-prefixes=CHECK,ROWS

// Rows of %a are shared along the second axis, columns of %b along the first: bands.
// CHECK-LABEL: tile.kernel @plane
// CHECK: %[[N:.*]] = arith.muli {{.*}} {tile.instances} : index
// CHECK: %[[ID:.*]] = tile.worker_id
// CHECK: %[[COUNT:.*]] = tile.worker_count
// CHECK: scf.for %[[T:.*]] = %[[ID]] to %[[N]] step %[[COUNT]]
// BAND: arith.constant 16
// ROWS: %[[J:.*]] = arith.remui %[[T]], %{{.*}}
// ROWS: %[[I:.*]] = arith.divui %[[T]], %{{.*}}
// ROWS: tile.load %a[%[[I]], %{{.*}}]
// ROWS: tile.load %b[%{{.*}}, %[[J]]]
// CHECK: } {sched.loop = "tiles"}
// CHECK-NOT: tile.parallel
tile.kernel @plane(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>,
                   %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i, %j) to (%m, %n) {
    scf.for %kk = %c0 to %k step %c1 {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      %y = tile.load %b[%kk, %j] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      %z = arith.addf %x, %y : tensor<16x16xf16>
      tile.store %z, %c[%i, %j] : tensor<16x16xf16>, !tile.view<?x?xf16>
    }
  }
}

// Instances along the first axis have nothing in common but what all have: the last
// axis goes fastest, and those that share %b follow each other. How far the loop goes
// depends on %j and does not matter for that. But because of it, every other wave is
// dealt out backwards, a short last one too.
// CHECK-LABEL: tile.kernel @heads
// CHECK: %[[N:.*]] = arith.muli {{.*}} {tile.instances} : index
// CHECK: %[[ID:.*]] = tile.worker_id
// CHECK: %[[COUNT:.*]] = tile.worker_count
// CHECK: scf.for %[[T:.*]] = %[[ID]] to %[[N]] step %[[COUNT]]
// CHECK: %[[BEFORE:.*]] = arith.subi %[[T]], %[[ID]]
// CHECK: %[[WAVE:.*]] = arith.divui %[[BEFORE]], %[[COUNT]]
// CHECK: %[[PARITY:.*]] = arith.remui %[[WAVE]], %{{.*}}
// CHECK: %[[ODD:.*]] = arith.cmpi ult, %{{.*}}, %[[PARITY]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[BEFORE]]
// CHECK: %[[SIZE:.*]] = arith.minui %[[COUNT]], %[[LEFT]]
// CHECK: %[[END:.*]] = arith.addi %[[BEFORE]], %[[SIZE]]
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %{{.*}}
// CHECK: %[[BACKWARDS:.*]] = arith.subi %[[LAST]], %[[ID]]
// CHECK: %[[NUMBER:.*]] = arith.select %[[ODD]], %[[BACKWARDS]], %[[T]]
// CHECK-NEXT: %[[J:.*]] = arith.remui %[[NUMBER]], %n
// CHECK-NEXT: %[[I:.*]] = arith.divui %[[NUMBER]], %n
// CHECK: tile.load %a[%[[I]], %[[J]]]
tile.kernel @heads(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>,
                   %c: !tile.view<?x?xf16>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i, %j) to (%m, %n) {
    %x = tile.load %a[%i, %j] : !tile.view<?x?xf16> -> tensor<16x16xf16>
    %v = tile.load %w[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x16xf16>
    %s = arith.addf %x, %v : tensor<16x16xf16>
    scf.for %kk = %c0 to %j step %c1 {
      %y = tile.load %b[%i, %kk] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      %z = arith.addf %s, %y : tensor<16x16xf16>
      tile.store %z, %c[%i, %j] : tensor<16x16xf16>, !tile.view<?x?xf16>
    }
  }
}
