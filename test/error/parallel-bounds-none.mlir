// At least one bound.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: 'tile.parallel' needs at least one bound [parallel-bounds]
tile.kernel @k(%n: index) {
  tile.parallel () to () {
  }
}
