// Instances that add at one place and differ in an index that forms no clusters.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 12:5: error: 'tile.view_reduce' is added by a cluster, and instances that differ in index 1 add at one place, too; clusters go by one index [cluster-rule]
tile.kernel @sum(%x: !tile.view<?x?xf32>, %y: !tile.view<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %own = tile.in_cluster %tile, %i by 4 : tensor<64x64xf32>
    tile.view_reduce fadd, %own, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
