// A program reads integers.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:8: error: 'tile.read' reads integers, not 'f32' [program-use]
tile.kernel @k(%p: !tile.ptr<f32>) {
}
tile.program @p(%p: !tile.ptr<f32>, %n: index) {
  %v = tile.read %p[%n] : !tile.ptr<f32>
  tile.give []
}
