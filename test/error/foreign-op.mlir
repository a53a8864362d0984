// A function beside a kernel.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: 'func.return' does not belong on the tile rung, which the rest of the program makes this; its operations are those of tile, arith, math, scf [foreign-op]
func.func @f() {
  return
}
tile.kernel @k(%n: index) {
  tile.parallel (%i) to (%n) {
  }
}
