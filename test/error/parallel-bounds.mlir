// One index for each bound.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: 'tile.parallel' has 1 indices but 2 bounds [parallel-bounds]
tile.kernel @k(%n: index) {
  tile.parallel (%i) to (%n, %n) {
  }
}
