// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --tile-distribute | FileCheck %s --check-prefix=BELOW

// A whole number of clusters along the index of parts, which goes fastest; blocks behind the last part do that.
// CHECK-LABEL: tile.kernel @clusters
// BELOW-LABEL: tile.kernel @clusters
tile.kernel @clusters(%y: !tile.view<?x?xf32>, %parts: index, %m: index, %n: index) {
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %s = tile.splat %f : f32 -> tensor<64x64xf32>
  // BELOW-DAG: %[[FOUR:.*]] = arith.constant 4 : index
  // BELOW-DAG: %[[CLUSTERS:.*]] = arith.ceildivui %parts, %[[FOUR]]
  // BELOW: %[[PADDED:.*]] = arith.muli %[[CLUSTERS]], %[[FOUR]]
  // BELOW: scf.for %[[NUMBER:.*]] = {{.*}} {
  // BELOW: %[[PART:.*]] = arith.remui %[[NUMBER]], %[[PADDED]]
  tile.parallel (%p, %i, %j) to (%parts, %m, %n) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    // CHECK: %[[SUM:.*]] = tile.in_cluster %{{.*}}, %{{.*}} by 4 : tensor<64x64xf32>
    // CHECK: tile.view_reduce fadd, %[[SUM]]
    // BELOW: tile.in_cluster %{{.*}} by 4 first %{{.*}} : tensor<64x64xf32>
    %t = tile.in_cluster %s, %p by 4 : tensor<64x64xf32>
    tile.view_reduce fadd, %t, %y[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
