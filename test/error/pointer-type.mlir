// Pointers point to numbers.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:29: error: a pointer is to integers or floating point, not to 'index' [pointer-type]
tile.kernel @k(%p: !tile.ptr<index>) {
}
