// A lower rung has no meaning to compare with.
// RUN: heddle compile %s --emit=hopper -o %t.hopper.mlir
// RUN: %expect 3 heddle run %t.hopper.mlir --device=emulator --view c=128 --scalar f=1
// expect: heddle: error: oracle-missing.mlir.tmp.hopper.mlir is on the hopper rung; name the tile program it came from by --oracle FILE [oracle-missing]
tile.kernel @one(%c: !tile.view<?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%c1) {
    %z = tile.splat %f : f32 -> tensor<128xf32>
    tile.store %z, %c[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
