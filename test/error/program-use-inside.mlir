// A program computes sizes only.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:8: error: 'tile.gather' stands in a tile.program, which holds index arithmetic, allocations, launches and what it gives [program-use]
tile.kernel @k(%p: !tile.ptr<f32>) {
}
tile.program @p(%p: !tile.ptr<f32>) {
  %v = tile.gather %p : !tile.ptr<f32> -> f32
  tile.give []
}
