// A program takes pointers and sizes.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 6:1: error: 'tile.program' argument 'p' is neither a pointer nor an index: 'f32' [program-use]
tile.kernel @k(%p: !tile.ptr<f32>) {
}
tile.program @p(%p: f32) {
  tile.give []
}
