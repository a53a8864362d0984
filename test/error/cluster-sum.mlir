// A tile of one axis has no columns for the blocks of a cluster.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 6:1: remark: @sum stays one process, because it has no loop to pipeline [not-specialised]
// expect: 21:5: remark: threads add this tile, an element at a time: each block of a cluster adds a part of it, out of registers [reduction-not-tma]
// expect: 21:5: error: the 4 blocks of a cluster cannot each add up a part of a tile of 'tensor<64xf32>' [cluster-sum]
tile.kernel @sum(%x: !tile.view<?x?xf32>, %y: !tile.view<?xf32>) {
  %m = tile.dim %x, 0 : !tile.view<?x?xf32>
  %n = tile.dim %x, 1 : !tile.view<?x?xf32>
  %c64 = arith.constant 64 : index
  %gm = arith.ceildivui %m, %c64 : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c64 : index
    %column = arith.muli %j, %c64 : index
    %tile = tile.load %x[%row, %column] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %sum = tile.reduce %tile axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }
    %own = tile.in_cluster %sum, %j by 4 : tensor<64xf32>
    tile.view_reduce fadd, %own, %y[%row] : tensor<64xf32>, !tile.view<?xf32>
  }
}
