// RUN: heddle-opt %s --tile-fuse-loops --cse | FileCheck %s

// Loads and products are common to both; what lies between them is chosen by an
// iteration's number. The mask's numbers are computed where they are used.
// CHECK-LABEL: tile.kernel @masked
// CHECK: scf.for %[[J:.*]] = %c0 to %[[END:.*]] step %c64
// CHECK-DAG: %[[FIRST:.*]] = arith.cmpi slt, %[[J]], %[[MID:.*]] : index
// CHECK-DAG: %[[K:.*]] = tile.load %k[%[[J]], %c0]
// CHECK: %[[S:.*]] = tile.dot %{{.*}}, %[[K]], %{{.*}}
// CHECK: %[[P:.*]] = scf.if %[[FIRST]] -> (tensor<64x64xf32>)
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: else
// CHECK: %[[M:.*]] = arith.select {{.*}}, %[[S]], %{{.*}}
// CHECK: scf.yield %[[M]]
// CHECK: tile.cast %[[P]]
// CHECK: tile.dot
// CHECK-NOT: scf.for
tile.kernel @masked(%q: !tile.view<?x?xf16>, %k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %qs = tile.load %q[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %qs, %ks, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %p = tile.cast %s : tensor<64x64xf32> -> tensor<64x64xf16>
      %d = tile.dot %p, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %next = arith.addi %i, %c1 : index
    %end = arith.muli %next, %c64 : index
    %sum = scf.for %j = %row to %end step %c64 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %qs, %ks, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %iota = tile.iota : tensor<64xi32>
      %column = tile.expand_dims %iota, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %line = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %ms = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x64xi32>
      %ns = tile.broadcast %line : tensor<1x64xi32> -> tensor<64x64xi32>
      %sees = arith.cmpi sge, %ms, %ns : tensor<64x64xi32>
      %masked = arith.select %sees, %s, %zero : tensor<64x64xi1>, tensor<64x64xf32>
      %p = tile.cast %masked : tensor<64x64xf32> -> tensor<64x64xf16>
      %d = tile.dot %p, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// The first conditional's mask is what the second one goes on with, in the place of
// the scores, which only the other branches read from then on.
// CHECK-LABEL: tile.kernel @handed_on
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.dot
// CHECK: %[[MOST:.*]]:2 = scf.if %[[FIRST:.*]] -> (tensor<64xf32>, tensor<64x64xf32>)
// CHECK: tile.reduce %[[S]]
// CHECK: scf.yield %{{.*}}, %[[S]]
// CHECK: else
// CHECK: %[[M:.*]] = arith.select {{.*}}, %[[S]]
// CHECK: tile.reduce %[[M]]
// CHECK: scf.yield %{{.*}}, %[[M]]
// CHECK: %[[NEXT:.*]] = arith.maximumf %{{.*}}, %[[MOST]]#0
// CHECK: scf.if %[[FIRST]] -> (tensor<64x64xf32>)
// CHECK: arith.mulf %[[MOST]]#1,
// CHECK: else
// CHECK-NOT: arith.select
// CHECK: arith.subf %[[MOST]]#1,
// CHECK: tile.cast
tile.kernel @handed_on(%q: !tile.view<?x?xf16>, %k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %qs = tile.load %q[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %start = tile.splat %f0 : f32 -> tensor<64xf32>
    %acc:2 = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero, %most = %start) -> (tensor<64x64xf32>, tensor<64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %qs, %ks, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %here = tile.reduce %s axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%x: f32, %y: f32) {
        %z = arith.maximumf %x, %y : f32
        tile.yield %z : f32
      }
      %twice = arith.addf %here, %here : tensor<64xf32>
      %next = arith.maximumf %most, %twice : tensor<64xf32>
      %column = tile.expand_dims %next, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %tile = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %moved = arith.mulf %s, %tile : tensor<64x64xf32>
      %p = tile.cast %moved : tensor<64x64xf32> -> tensor<64x64xf16>
      %d = tile.dot %p, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d, %next : tensor<64x64xf32>, tensor<64xf32>
    }
    %n = arith.addi %i, %c1 : index
    %end = arith.muli %n, %c64 : index
    %sum:2 = scf.for %j = %row to %end step %c64 iter_args(%a = %acc#0, %most = %acc#1) -> (tensor<64x64xf32>, tensor<64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %qs, %ks, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %iota = tile.iota : tensor<64xi32>
      %numbers = tile.expand_dims %iota, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %line = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %ms = tile.broadcast %numbers : tensor<64x1xi32> -> tensor<64x64xi32>
      %ns = tile.broadcast %line : tensor<1x64xi32> -> tensor<64x64xi32>
      %sees = arith.cmpi sge, %ms, %ns : tensor<64x64xi32>
      %masked = arith.select %sees, %s, %zero : tensor<64x64xi1>, tensor<64x64xf32>
      %here = tile.reduce %masked axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%x: f32, %y: f32) {
        %z = arith.maximumf %x, %y : f32
        tile.yield %z : f32
      }
      %next = arith.maximumf %most, %here : tensor<64xf32>
      %column = tile.expand_dims %next, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %tile = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %moved = arith.subf %masked, %tile : tensor<64x64xf32>
      %p = tile.cast %moved : tensor<64x64xf32> -> tensor<64x64xf16>
      %d = tile.dot %p, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d, %next : tensor<64x64xf32>, tensor<64xf32>
    }
    tile.store %sum#0, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// Here a product reads the scores too, whichever loop it is: the mask beside them would
// take registers of its own, and is computed again.
// CHECK-LABEL: tile.kernel @held
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.dot
// CHECK: %[[MOST:.*]] = scf.if %[[FIRST:.*]] -> (tensor<64xf32>)
// CHECK: arith.select {{.*}}, %[[S]]
// CHECK: arith.maximumf %{{.*}}, %[[MOST]]
// CHECK: scf.if %[[FIRST]] -> (tensor<64x64xf32>)
// CHECK: arith.mulf %[[S]],
// CHECK: else
// CHECK: %[[M:.*]] = arith.select {{.*}}, %[[S]]
// CHECK: arith.subf %[[M]],
// CHECK: tile.cast %[[S]]
tile.kernel @held(%q: !tile.view<?x?xf16>, %k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %qs = tile.load %q[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %start = tile.splat %f0 : f32 -> tensor<64xf32>
    %acc:2 = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero, %most = %start) -> (tensor<64x64xf32>, tensor<64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %qs, %ks, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %here = tile.reduce %s axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%x: f32, %y: f32) {
        %z = arith.maximumf %x, %y : f32
        tile.yield %z : f32
      }
      %twice = arith.addf %here, %here : tensor<64xf32>
      %next = arith.maximumf %most, %twice : tensor<64xf32>
      %column = tile.expand_dims %next, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %tile = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %moved = arith.mulf %s, %tile : tensor<64x64xf32>
      %p = tile.cast %moved : tensor<64x64xf32> -> tensor<64x64xf16>
      %d = tile.dot %p, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %whole = tile.cast %s : tensor<64x64xf32> -> tensor<64x64xf16>
      %e = tile.dot %whole, %ks, %d : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %e, %next : tensor<64x64xf32>, tensor<64xf32>
    }
    %n = arith.addi %i, %c1 : index
    %end = arith.muli %n, %c64 : index
    %sum:2 = scf.for %j = %row to %end step %c64 iter_args(%a = %acc#0, %most = %acc#1) -> (tensor<64x64xf32>, tensor<64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s = tile.dot %qs, %ks, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %iota = tile.iota : tensor<64xi32>
      %numbers = tile.expand_dims %iota, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %line = tile.expand_dims %iota, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %ms = tile.broadcast %numbers : tensor<64x1xi32> -> tensor<64x64xi32>
      %ns = tile.broadcast %line : tensor<1x64xi32> -> tensor<64x64xi32>
      %sees = arith.cmpi sge, %ms, %ns : tensor<64x64xi32>
      %masked = arith.select %sees, %s, %zero : tensor<64x64xi1>, tensor<64x64xf32>
      %here = tile.reduce %masked axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%x: f32, %y: f32) {
        %z = arith.maximumf %x, %y : f32
        tile.yield %z : f32
      }
      %next = arith.maximumf %most, %here : tensor<64xf32>
      %column = tile.expand_dims %next, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %tile = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %moved = arith.subf %masked, %tile : tensor<64x64xf32>
      %p = tile.cast %moved : tensor<64x64xf32> -> tensor<64x64xf16>
      %d = tile.dot %p, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %whole = tile.cast %s : tensor<64x64xf32> -> tensor<64x64xf16>
      %e = tile.dot %whole, %ks, %d : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %e, %next : tensor<64x64xf32>, tensor<64xf32>
    }
    tile.store %sum#0, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
