// A launch passes what the kernel takes.
// RUN: %expect 3 heddle compile %s --emit=tile -o %t.mlir
// expect: 7:3: error: 'tile.launch' gives @k 1 arguments whose types are not those of the kernel's 1 [program-use]
tile.kernel @k(%p: !tile.ptr<f32>) {
}
tile.program @p(%p: !tile.ptr<f64>) {
  tile.launch @k(%p) : !tile.ptr<f64>
  tile.give []
}
