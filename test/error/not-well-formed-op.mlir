// An operation that does not exist.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: custom op 'tile.multiply' is unknown [not-well-formed]
tile.kernel @k(%n: index) {
  tile.multiply %n
}
