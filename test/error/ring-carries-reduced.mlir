// A row is reduced along the axis that would be divided.
// RUN: heddle compile %s --machine=dae --emit=sched | sed 's/\(ring "x" depth [0-9]*\)/\1 carries 4/' > %t.mlir
// RUN: %expect 2 heddle compile %t.mlir --machine=dae --emit=aref -o %t.out
// expect: 10:12: error: ring 'x' carries 4 elements a turn, but it reduces along the axis that is split [ring-carries]
tile.kernel @sums(%x: !tile.view<?x8xf32>, %out: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tile.dim %out, 0 : !tile.view<?xf32>
  tile.parallel (%i) to (%rows) {
    %row = tile.load %x[%i, %c0] : !tile.view<?x8xf32> -> tensor<1x8xf32>
    %sum = tile.reduce %row axis 1 : tensor<1x8xf32> -> tensor<1xf32> combine (%a: f32, %b: f32) {
      %both = arith.addf %a, %b : f32
      tile.yield %both : f32
    }
    tile.store %sum, %out[%i] : tensor<1xf32>, !tile.view<?xf32>
  }
}
