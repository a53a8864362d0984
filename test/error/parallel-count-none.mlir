// A kernel without tile.parallel.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: kernel @k has 0 tile.parallel ops that write anything; it needs exactly one, at its top level [parallel-count]
tile.kernel @k(%n: index) {
}
