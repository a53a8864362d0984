// A launch names a kernel.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:3: error: 'tile.launch' names @m, which is no tile.kernel [program-use]
tile.kernel @k(%p: !tile.ptr<f32>) {
}
tile.program @p(%p: !tile.ptr<f32>) {
  tile.launch @m(%p) : !tile.ptr<f32>
  tile.give []
}
