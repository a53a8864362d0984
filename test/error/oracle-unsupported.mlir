// The oracle does not know an operation. The compiled kernel does not; its oracle does.
// RUN: %expect 2 heddle run %S/Inputs/fill.mlir --oracle %s --device=emulator --view c=64x64 --scalar f=1 --scalar n=0
// expect: fill.mlir:2:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: fill.mlir:7:5: remark: threads store this tile: a thread holds 16 bytes in a row [store-not-tma]
// expect: 11:10: error: the oracle cannot run 'scf.execute_region' [oracle-unsupported]
tile.kernel @k(%c: !tile.view<?x?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<64x64xf32>
    %s = scf.execute_region -> index {
      scf.yield %n : index
    }
    tile.store %z, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
