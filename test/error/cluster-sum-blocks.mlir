// More blocks than a machine runs together.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 6:1: remark: @least stays one process, because it has no loop to pipeline [not-specialised]
// expect: 19:5: remark: threads add this tile, an element at a time: each block of a cluster adds a part of it, out of registers [reduction-not-tma]
// expect: 19:5: error: clusters of 16 blocks are asked for, and 8 is what this machine runs together at the most [cluster-sum]
tile.kernel @least(%x: !tile.view<?x?xi32>, %y: !tile.view<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xi32>
  %n = tile.dim %x, 1 : !tile.view<?x?xi32>
  %parts = arith.ceildivui %m, %c32 : index
  %blocks = arith.ceildivui %n, %c256 : index
  tile.parallel (%p, %j) to (%parts, %blocks) {
    %row = arith.muli %p, %c32 : index
    %column = arith.muli %j, %c256 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xi32> -> tensor<32x256xi32>
    %own = tile.in_cluster %tile, %p by 16 : tensor<32x256xi32>
    tile.view_reduce min, %own, %y[%c0, %column] : tensor<32x256xi32>, !tile.view<?x?xi32>
  }
}
