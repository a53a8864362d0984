// Nothing is allocated for a prediction, but the tiles of a block take time: with extents near 2^63 it would never end.
// RUN: %expect 3 heddle predict %s --view x=9000000000000000000 --workers=1 --max-steps=100000
// expect: 6:1: remark: @copy stays one process, because it has no loop to pipeline [not-specialised]
// expect: 10:3: error: the simulator stops after 100000 operations, here in process 'main' [step-limit]

tile.kernel @copy(%x: !tile.view<?xf32>) {
  %c64 = arith.constant 64 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %tiles = arith.ceildivui %n, %c64 : index
  tile.parallel (%p) to (%tiles) {
    %start = arith.muli %p, %c64 : index
    %t = tile.load %x[%start] : !tile.view<?xf32> -> tensor<64xf32>
    tile.store %t, %x[%start] : tensor<64xf32>, !tile.view<?xf32>
  }
}
