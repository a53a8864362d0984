// RUN: heddle-opt %s --tile-group-iterations --canonicalize --cse | FileCheck %s
// Eight iterations load together where an index names a row: all indices first, then all rows,
// then the sums in their order. An iteration behind the end reads outside of the views.

!n = tensor<1xi32>
!row = tensor<128xf32>

// CHECK-LABEL: @sum
// CHECK: scf.for %[[P:.*]] = %from to %to step %c8 iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<128xf32>)
// CHECK: %[[LEFT:.*]] = arith.subi %to, %[[P]]
// CHECK: %[[SOME:.*]] = arith.maxsi %[[LEFT]], %c0
// CHECK: %[[FEW:.*]] = arith.minsi %[[SOME]], %c8
// CHECK: %[[HAS1:.*]] = arith.cmpi sgt, %[[FEW]], %c1
// CHECK: arith.cmpi sgt, %[[FEW]], %c7
// CHECK: tile.load %indices[%[[P]]]
// CHECK: %[[AT1:.*]] = arith.select %[[HAS1]], %{{.*}}, %c-1
// CHECK-NEXT: tile.load %indices[%[[AT1]]]
// CHECK: tile.load %table[%{{.*}}, %c0]
// CHECK: %[[ROW1:.*]] = arith.select %[[HAS1]], %{{.*}}, %c-1
// CHECK: tile.load %table[%[[ROW1]], %c0]
// CHECK-NOT: arith.select %{{.*}} : tensor
// CHECK: %[[S0:.*]] = arith.addf %[[S]], %{{.*}}
// CHECK-NEXT: arith.addf %[[S0]], %{{.*}}
// CHECK: scf.yield
tile.kernel @sum(%table: !tile.view<?x?xf32>, %indices: !tile.view<?xi32>, %out: !tile.view<?x?xf32>, %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !row
  tile.parallel (%b) to (%c1) {
    %sum = scf.for %p = %from to %to step %c1 iter_args(%s = %zero) -> (!row) {
      %r_tile = tile.load %indices[%p] : !tile.view<?xi32> -> !n
      %r_i = tile.unsplat %r_tile : !n -> i32
      %r = arith.index_cast %r_i : i32 to index
      %row = tile.load %table[%r, %c0] : !tile.view<?x?xf32> -> !row
      %more = arith.addf %s, %row : !row
      scf.yield %more : !row
    }
    tile.store %sum, %out[%b, %c0] : !row, !tile.view<?x?xf32>
  }
}

// What the loop carries is kept behind the end where a zero would change it. Rows of 512 leave
// room for two at once.
// CHECK-LABEL: @most
// CHECK: scf.for {{.*}} step %c2
// CHECK: %[[HAS:.*]] = arith.cmpi sgt
// CHECK: %[[M0:.*]] = arith.maximumf
// CHECK: %[[M1:.*]] = arith.maximumf %[[M0]]
// CHECK: arith.select %[[HAS]], %[[M1]], %[[M0]] : tensor<512xf32>
tile.kernel @most(%table: !tile.view<?x?xf32>, %indices: !tile.view<?xi32>, %out: !tile.view<?x?xf32>, %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant 0xFF800000 : f32
  %none = tile.splat %least : f32 -> tensor<512xf32>
  tile.parallel (%b) to (%c1) {
    %max = scf.for %p = %from to %to step %c1 iter_args(%s = %none) -> (tensor<512xf32>) {
      %r_tile = tile.load %indices[%p] : !tile.view<?xi32> -> !n
      %r_i = tile.unsplat %r_tile : !n -> i32
      %r = arith.index_cast %r_i : i32 to index
      %row = tile.load %table[%r, %c0] : !tile.view<?x?xf32> -> tensor<512xf32>
      %more = arith.maximumf %s, %row : tensor<512xf32>
      scf.yield %more : tensor<512xf32>
    }
    tile.store %max, %out[%b, %c0] : tensor<512xf32>, !tile.view<?x?xf32>
  }
}

// A loop that stores is grouped if it reads other arrays than it writes: eight rows are loaded,
// then stored in their order, behind the end outside of the view. What all iterations read is read
// in front of the loop, and a product with it is not taken for 0 behind the end.
// CHECK-LABEL: @stored
// CHECK: %[[SAME:.*]] = tile.load %same[%c0]
// CHECK: scf.for %{{.*}} step %c8
// CHECK-NOT: tile.load %same
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %c-1
// CHECK-NEXT: tile.load %indices[%[[AT]]]
// CHECK-COUNT-8: tile.load %table
// CHECK-COUNT-8: arith.mulf %{{.*}}, %[[SAME]]
// CHECK-COUNT-8: tile.reduce
// CHECK: tile.store %{{.*}}, %out[%{{.*}}]
// CHECK: tile.store %{{.*}}, %out[%[[AT]]]
// CHECK-COUNT-6: tile.store
// CHECK: scf.for %{{.*}} step %c8 iter_args(%[[S:.*]] = %{{.*}})
// CHECK: arith.mulf %{{.*}}, %{{.*}}
// CHECK: arith.select %{{.*}} : tensor<128xf32>
tile.kernel @stored(%table: !tile.view<?x?xf32>, %indices: !tile.view<?xi32>, %same: !tile.view<?xf32>, %out: !tile.view<?xf32>, %sums: !tile.view<?xf32>, %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !row
  tile.parallel (%b) to (%c1) {
    scf.for %p = %from to %to step %c1 {
      %r_tile = tile.load %indices[%p] : !tile.view<?xi32> -> !n
      %r_i = tile.unsplat %r_tile : !n -> i32
      %r = arith.index_cast %r_i : i32 to index
      %row = tile.load %table[%r, %c0] : !tile.view<?x?xf32> -> !row
      %other = tile.load %same[%c0] : !tile.view<?xf32> -> !row
      %both = arith.mulf %row, %other : !row
      %sum = tile.reduce %both axis 0 : !row -> f32 combine (%x: f32, %y: f32) {
        %s = arith.addf %x, %y : f32
        tile.yield %s : f32
      }
      %one = tile.splat %sum : f32 -> tensor<1xf32>
      tile.store %one, %out[%p] : tensor<1xf32>, !tile.view<?xf32>
    }
    %all = scf.for %p = %from to %to step %c1 iter_args(%s = %zero) -> (!row) {
      %r_tile = tile.load %indices[%p] : !tile.view<?xi32> -> !n
      %r_i = tile.unsplat %r_tile : !n -> i32
      %r = arith.index_cast %r_i : i32 to index
      %row = tile.load %table[%r, %c0] : !tile.view<?x?xf32> -> !row
      %other = tile.load %same[%c0] : !tile.view<?xf32> -> !row
      %both = arith.mulf %row, %other : !row
      %more = arith.addf %s, %both : !row
      scf.yield %more : !row
    }
    tile.store %all, %sums[%c0] : !row, !tile.view<?xf32>
  }
}

// Loads at places that the loop counts wait for nothing; a loop that reads what it writes, and an
// assertion, happen once.
// CHECK-LABEL: @left
// CHECK: scf.for {{.*}} step %c1 iter_args
// CHECK: scf.for {{.*}} step %c1 {
// CHECK: scf.for {{.*}} step %c1 {
tile.kernel @left(%table: !tile.view<?x?xf32>, %indices: !tile.view<?xi32>, %out: !tile.view<?x?xf32>, %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> !row
  tile.parallel (%b) to (%c1) {
    %sum = scf.for %p = %from to %to step %c1 iter_args(%s = %zero) -> (!row) {
      %row = tile.load %table[%p, %c0] : !tile.view<?x?xf32> -> !row
      %more = arith.addf %s, %row : !row
      scf.yield %more : !row
    }
    tile.store %sum, %out[%b, %c0] : !row, !tile.view<?x?xf32>
    scf.for %p = %from to %to step %c1 {
      %r_tile = tile.load %indices[%p] : !tile.view<?xi32> -> !n
      %r_i = tile.unsplat %r_tile : !n -> i32
      %r = arith.index_cast %r_i : i32 to index
      %row = tile.load %out[%r, %c0] : !tile.view<?x?xf32> -> !row
      tile.store %row, %out[%p, %c0] : !row, !tile.view<?x?xf32>
    }
    scf.for %p = %from to %to step %c1 {
      %r_tile = tile.load %indices[%p] : !tile.view<?xi32> -> !n
      %r_i = tile.unsplat %r_tile : !n -> i32
      %r = arith.index_cast %r_i : i32 to index
      %row = tile.load %table[%r, %c0] : !tile.view<?x?xf32> -> !row
      %fits = arith.cmpi sge, %r, %c0 : index
      tile.assert %fits, "an index is negative" : i1
      tile.store %row, %out[%p, %c0] : !row, !tile.view<?x?xf32>
    }
  }
}
