// Elements are numbers.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:30: error: a view's elements are integers or floating point, not 'index' [view-type]
tile.kernel @k(%a: !tile.view<?xindex>) {
}
