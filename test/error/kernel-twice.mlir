// Two kernels have one name.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 7:1: error: redefinition of symbol named 'k' [not-well-formed]
// expect: 5:1: note: see existing symbol definition here
tile.kernel @k(%n: index) {
}
tile.kernel @k(%m: index) {
}
